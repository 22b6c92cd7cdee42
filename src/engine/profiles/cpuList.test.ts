import { describe, expect, it } from 'vitest';
import { formatCpuList, parseCpuList } from './cpuList.ts';

describe('CPU lists', () => {
  it.each([
    ['0', [0], '0'],
    ['1-3,8', [1, 2, 3, 8], '1-3,8'],
    ['3,1,2,2', [1, 2, 3], '1-3'],
    ['1-3 5', [1, 2, 3, 5], '1-3,5'],
    ['0-9:2/4', [0, 1, 4, 5, 8, 9], '0-1,4-5,8-9'],
    ['2-N:1/2', [2, 4, 6, 8], '2,4,6,8'],
    ['N', [9], '9'],
    ['all', [0, 1, 2, 3, 4, 5, 6, 7, 8, 9], '0-9'],
    ['ALL:1/5', [0, 5], '0,5'],
  ])('%s', (text, cpus, formatted) => {
    expect(parseCpuList(text, 10)).toEqual({ ok: true, cpus, isBeyond: false });
    expect(formatCpuList(cpus)).toBe(formatted);
  });

  it('tells which CPUs the machine does not have', () => {
    expect(parseCpuList('2-63', 4)).toEqual({ ok: true, cpus: [2, 3], isBeyond: true });
    expect(parseCpuList('64', 4)).toEqual({ ok: true, cpus: [], isBeyond: true });
  });

  it.each([
    '',
    ',',
    'x',
    '-1',
    '1-',
    '3-1',
    '0-3:4/2',
    '0-3:0/0',
    '1:1/2',
    '8192',
    '0-99999999',
    '1.5',
    'alls',
    '0x3',
  ])('refuses "%s"', (text) => {
    expect(parseCpuList(text, 10)).toEqual({ ok: false, why: expect.any(String) });
  });
});

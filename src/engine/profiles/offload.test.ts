/** Which CPUs are offloaded: rcu_init_nohz() (tree 3.3). */
import { describe, expect, it } from 'vitest';
import { nocbGroups, nohzFullCpus, offloadedCpus } from './offload.ts';

const of = (params: Record<string, string>, kconfig: Record<string, boolean> = {}, cpus = 8) =>
  offloadedCpus({ cpus, params, kconfig }).join();

describe('offloaded CPUs', () => {
  it.each<[Record<string, string>, string]>([
    [{}, ''],
    [{ rcu_nocbs: '' }, ''],
    [{ rcu_nocbs: 'all' }, '0,1,2,3,4,5,6,7'],
    [{ rcu_nocbs: '0-N:1/3' }, '0,3,6'],
    [{ nohz_full: '5,1' }, '1,5'],
    [{ rcu_nocbs: '6', nohz_full: '1,5' }, '1,5,6'],
    [{ isolcpus: 'nohz,domain,2-3' }, '2,3'],
    [{ isolcpus: 'domain,2-3' }, ''],
    [{ isolcpus: 'nohz,all' }, '0,1,2,3,4,5,6,7'],
  ])('%j: %s', (params, cpus) => {
    expect(of(params)).toBe(cpus);
  });

  it('are all of a kernel built so, unless it is told which', () => {
    const kconfig = { RCU_NOCB_CPU_DEFAULT_ALL: true };
    expect(of({}, kconfig, 3)).toBe('0,1,2');
    expect(of({ rcu_nocbs: '' }, kconfig)).toBe('');
    expect(of({ nohz_full: '4' }, kconfig)).toBe('4');
  });

  it('need CONFIG_NO_HZ_FULL for nohz_full', () => {
    expect(of({ nohz_full: '4', rcu_nocbs: '1' }, { NO_HZ_FULL: false })).toBe('1');
    expect(nohzFullCpus({ cpus: 8, params: { nohz_full: '4' }, kconfig: { NO_HZ_FULL: false } })).toEqual([]);
  });

  it('are in groups by number, whether the other CPUs of a group are offloaded or not', () => {
    expect(nocbGroups([0, 3, 4, 11], 4)).toBe(3);
    expect(nocbGroups([], 4)).toBe(0);
  });
});

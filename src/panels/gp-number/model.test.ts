import { describe, expect, it } from 'vitest';
import { numberView } from './model.ts';

const NEW = { 'tree.srOrder': 'before-start' } as const;
const OLD = { 'tree.srOrder': 'after-start' } as const;
const text = (seq: string, cookie: string, name: string) =>
  numberView(seq, cookie, NEW).facts.find((fact) => fact.name === name)?.text;

describe('grace-period numbers', () => {
  it('reads a number as a trace prints it, and the same in hexadecimal', () => {
    expect(text('-1199', '', 'state')).toBe('1: a grace period runs');
    expect(text('-1199', '', 'snap')).toContain('-1192');
    expect(text('0xfffffffffffffb51', '', 'word')).toBe(text('-1199', '', 'word'));
    expect(text('400', '', 'ends at')).toContain('404');
  });

  it('judges a cookie, with and without wrap-around (R6.5)', () => {
    expect([text('404', '408', 'done'), text('408', '408', 'done')]).toEqual(['no', 'yes']);
    expect(text('397', '408', 'done_exact')?.startsWith('yes')).toBe(true);
    expect(text('398', '408', 'done_exact')?.startsWith('no')).toBe(true);
    expect(text('0', '1', 'done')).toBe('yes');
  });

  it('guards against wrap-around as the kernel of the run does (R1.4)', () => {
    const exact = (rules: typeof NEW | typeof OLD) =>
      numberView('400', '408', rules)
        .facts.find(({ name }) => name === 'done_exact')
        ?.text.slice(0, 3);
    expect([exact(NEW), exact(OLD)]).toEqual(['no:', 'yes']);
  });

  it('says what is wrong with other text', () => {
    expect(numberView('12x', '', NEW).problem).toContain('gp_seq "12x" is no number');
    expect(numberView('12', 'now', NEW).problem).toContain('cookie "now" is no number');
    expect(numberView(' ', '', NEW)).toEqual({ problem: undefined, facts: [] });
  });
});

/** Kernel parameters of Tree RCU: defaults by HZ and CPUs (tree §1.5), and what the kernel makes of other values. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Build, buildOf } from '../profiles/kernelParams.ts';
import { nocbGroups } from '../profiles/offload.ts';
import { PROFILES, type ProfileId } from '../profiles/profiles.ts';
import { defaultRcuParam, effectiveRcuParam, RCU_PARAMS, schedQsJiffies } from './params.ts';

const worked = JSON.parse(readFileSync('test-data/tree-worked.json', 'utf8'));

function build(
  part: { kernel?: ProfileId; hz?: number; cpus?: number; kconfig?: Build['kconfig'] } = {},
): Build {
  return buildOf({ kernel: 'v6.12', rules: {}, hz: 250, cpus: 4, kconfig: {}, ...part });
}
const effective = (name: string, value: number, part: Parameters<typeof build>[0] = {}) => {
  const param = RCU_PARAMS.find(
    (known) => known.name === `rcutree.${name}` || known.name === `rcupdate.${name}`,
  );
  if (param === undefined) throw new Error(name);
  return effectiveRcuParam(param, value, build(part));
};

describe('defaults', () => {
  it('of the waits for scans: the worked table of 1.5', () => {
    let rows = 0;
    for (const [hz, cpus, first, next, sched, firstFqs, nextFqs, schedQs] of worked.fqsDefaults.rows) {
      const of = (name: string) => defaultRcuParam(`rcutree.jiffies_till_${name}_fqs`, build({ hz, cpus }));
      const inForce = [
        first === null ? of('first') : effective('jiffies_till_first_fqs', first, { hz, cpus }),
        next === null ? of('next') : effective('jiffies_till_next_fqs', next, { hz, cpus }),
      ] as [number, number];
      expect(inForce).toEqual([firstFqs, nextFqs]);
      expect(sched ?? schedQsJiffies(hz, cpus, ...inForce)).toBe(schedQs);
      rows++;
    }
    expect(rows).toBeGreaterThan(20);
  });

  it('of groups and of the bypass limit: the worked tables of R3.8 and R3.9', () => {
    for (const [cpus, stride, kthreads] of worked.nocbGroups.rows) {
      expect(defaultRcuParam('rcutree.rcu_nocb_gp_stride', build({ cpus }))).toBe(stride);
      const all = Array.from({ length: cpus }, (_, cpu) => cpu);
      expect(nocbGroups(all, stride)).toBe(kthreads);
    }
    for (const [hz, limit] of worked.nocbBypassLimit.rows) {
      expect(defaultRcuParam('rcutree.nocb_nobypass_lim_per_jiffy', build({ hz }))).toBe(limit);
    }
  });

  it.each<[ProfileId, number, number]>([
    ['v6.12', 4, 0],
    ['v6.17', 16, 1],
    ['v6.17', 17, 0],
  ])('rcu_normal_wake_from_gp of %s with %i CPUs is %i', (kernel, cpus, value) => {
    expect(defaultRcuParam('rcutree.rcu_normal_wake_from_gp', build({ kernel, cpus }))).toBe(value);
  });

  it('that follow the build: PREEMPT_RT and RCU_LAZY', () => {
    const names = ['rcutree.use_softirq', 'rcupdate.rcu_normal_after_boot', 'rcutree.enable_rcu_lazy'];
    const of = (kconfig: Build['kconfig']) => names.map((name) => defaultRcuParam(name, build({ kconfig })));
    expect(of({})).toEqual([1, 0, 0]);
    expect(of({ PREEMPT_RT: true, RCU_LAZY: true })).toEqual([0, 1, 1]);
  });

  it('are there for every parameter, and the kernel leaves them alone', () => {
    for (const { id: kernel } of PROFILES) {
      for (const cpus of [1, 4, 4096]) {
        const here = build({ kernel, cpus });
        for (const param of RCU_PARAMS) {
          const value = defaultRcuParam(param.name, here);
          expect(value).toBeDefined();
          if (typeof value === 'number') expect(effectiveRcuParam(param, value, here)).toBe(value);
        }
      }
    }
    expect(defaultRcuParam('rcutree.nothing', build())).toBeUndefined();
  });
});

describe('what the kernel makes of a value', () => {
  it.each<[string, number, number | undefined]>([
    ['jiffies_till_first_fqs', 0, 0],
    ['jiffies_till_first_fqs', 251, 250],
    ['jiffies_till_next_fqs', 0, 1],
    ['rcu_resched_ns', 999_999, 1_000_000],
    ['rcu_resched_ns', 2_000_000_000, 1_000_000_000],
    ['rcu_cpu_stall_timeout', 2, 3],
    ['rcu_cpu_stall_timeout', 301, 300],
    ['rcu_divisor', -1, 7],
    ['rcu_divisor', 63, 62],
    ['rcu_fanout_leaf', 1, 16],
    ['rcu_fanout_leaf', 65, 16],
    ['rcu_fanout_leaf', 64, 64],
    ['qovld', -5, -1],
    ['blimit', -1, 0],
    ['rcu_nocb_gp_stride', -1, 2],
    ['rcu_nocb_gp_stride', 0, undefined],
    ['rcu_nocb_gp_stride', 100, 100],
    ['rcu_normal', -3, 1],
    ['nohz_full_patience_delay', 9000, 5000],
  ])('%s=%d is %s at HZ 250', (name, value, result) => {
    expect(effective(name, value)).toBe(result);
  });

  it('wake_from_gp: any number but 0 up to 6.16, -1 is for boot to choose from 6.17 on', () => {
    expect([-1, 0, 1, 2].map((value) => effective('rcu_normal_wake_from_gp', value))).toEqual([1, 0, 1, 1]);
    const late = (cpus: number) => effective('rcu_normal_wake_from_gp', -1, { kernel: 'v6.17', cpus });
    expect([late(16), late(17)]).toEqual([1, 0]);
  });

  it('the expedited timeout: whole jiffies, two at least', () => {
    const ms = (value: number, hz: number) => effective('rcu_exp_cpu_stall_timeout', value, { hz });
    expect([ms(0, 250), ms(20, 250), ms(21, 250), ms(1, 250), ms(1, 100)]).toEqual([0, 20, 24, 8, 20]);
    expect(ms(400_000, 1000)).toBe(300_000);
  });
});

import { expect, test } from 'vitest';
import { narrateRow } from './narrate.ts';
import { maskWords, nodeWords, rcuGeometry } from './rcuGeometry.ts';
import { sampleOf } from './rcuRuns.testkit.ts';
import { config, MS, run, updater } from './runs.testkit.ts';

function sentences(simConfig: ReturnType<typeof config>): string[] {
  const { log, info } = run(simConfig);
  return Array.from({ length: log.length }, (_, row) => narrateRow(log.row(row), info));
}

test('a grace period of an idle machine, told with who, what and the string of the kernel', () => {
  const told = sentences(config([updater({ api: 'synchronize_rcu', start: 5 * MS })], { cpus: 4 }));
  const expected = [
    'updater/0 queues its wake-up (wakeme_after_rcu), number 0, on CPU 0 (call_rcu): 1 callback there.',
    'CPU 0 asks for grace period -300, which sets GP_FLAG_INIT (newreq): gp_seq -1200.',
    'rcu_preempt on CPU 0 starts grace period -300 (start): gp_seq -1199.',
    'CPU 0 learns of grace period -300 (cpustart): a quiescent state counts from now on.',
    'rcu_preempt sets up the only rcu_node for grace period -300: CPUs 0-3 owe a quiescent state, qsmask 0xf.',
    'rcu_preempt on CPU 0 waits before it scans for quiescent states (fqswait), grace period -300.',
    'CPU 0 notes a quiescent state for grace period -300 (cpuqs); its next rcu_core() reports it.',
    'CPU 0 reports CPU 0 at the only rcu_node for grace period -300: mask 0x1.',
    'rcu_preempt on CPU 0 scans the CPUs that owe a quiescent state (fqsstart), grace period -300.',
    'The scan on CPU 0 finds that CPU 3 is or was idle, a quiescent state (dti).',
    'rcu_preempt on CPU 0 ends grace period -300 (end): gp_seq becomes -1196.',
    'CPU 0 invokes wakeme_after_rcu 0, 15 ms after it was queued.',
  ];
  let at = 0;
  for (const text of told) if (text === expected[at]) at++;
  expect(expected.slice(at)).toEqual([]);
});

test('nodes and masks of a large machine are told by their CPUs', () => {
  const geometry = rcuGeometry(run(config([updater({ api: 'synchronize_rcu' })], { cpus: 40 })).info);
  expect([0, 1, 3].map((node) => nodeWords(geometry, node))).toEqual([
    ...['the root', 'the leaf of CPUs 0-13', 'the leaf of CPUs 28-39'],
  ]);
  expect(maskWords(geometry, 3, 0b1011, 0)).toBe('CPUs 28-29, 31');
  expect(maskWords(geometry, 0, 0b100, 0)).toBe('CPUs 28-39');
  expect(maskWords(geometry, 1, 0b10, 0)).toBe('CPU 1');
  expect(maskWords(geometry, 1, 0, 0)).toBe('no CPU');
});

test('an expedited grace period names the ones who ask, answer and report', () => {
  const told = sentences(sampleOf('expedited'));
  for (const part of [
    /^CPU \d asks for expedited grace period \d+ \(snap\): s \d+\.$/,
    /^CPU \d sends CPU \d an IPI for expedited grace period \d+\.$/,
    /^CPU \d handles the IPI of expedited grace period \d+ \(rcu_exp_handler\(\)\): it is /,
    /^CPU \d ends expedited grace period \d+ \(end\): s \d+\.$/,
  ])
    expect(told.some((text) => part.test(text))).toBe(true);
});

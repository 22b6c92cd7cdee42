import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseTrace, type TraceEvent } from './parseTrace.ts';
import { isRcuEvent } from './payloads.ts';

const FOLDER = 'test-data/traces';
const real = (name: string) => readFileSync(`${FOLDER}/${name}`, 'utf8');
const line = (payload: string) => `     rcu_preempt-17      [002] d..1.     0.236327: ${payload}`;

function only(text: string): TraceEvent {
  const { events, problems } = parseTrace(text);
  expect(problems).toEqual([]);
  expect(events).toHaveLength(1);
  return events[0] as TraceEvent;
}

test('a line has its task, CPU, flags and time', () => {
  expect(only(line('rcu_grace_period: rcu_preempt -1155 fqsstart'))).toEqual({
    ...{ line: 1, comm: 'rcu_preempt', pid: 17, cpu: 2, flags: 'd..1.', timeNs: 236_327_000 },
    ...{ event: 'rcu_grace_period', data: { rcuname: 'rcu_preempt', gp_seq: -1155, gpevent: 'fqsstart' } },
  });
});

test('commands may hold spaces, dashes and brackets; CPUs four digits; flags and tgid come and go', () => {
  const of = (text: string) => {
    const { comm, pid, cpu, flags, timeNs } = only(`${text}: rcu_utilization: Start RCU core`);
    return [comm, pid, cpu, flags, timeNs];
  };
  expect(of('  kworker/0:1-ev-12 [000] ..s1. 3.5')).toEqual([
    'kworker/0:1-ev',
    12,
    0,
    '..s1.',
    3_500_000_000,
  ]);
  expect(of('  [x] a-1 b-7 [1187] d..1. 93004.100000')).toEqual([
    '[x] a-1 b',
    7,
    1187,
    'd..1.',
    93_004_100_000_000,
  ]);
  expect(of('<idle>-0     (-----) [003] 1.000000001')).toEqual(['<idle>', 0, 3, '', 1_000_000_001]);
});

test('payloads become numbers, masks and names', () => {
  const data = (payload: string) => only(line(payload)).data;
  expect(data('rcu_quiescent_state_report: rcu_preempt -1151 b>0 0 0 3 1')).toEqual({
    ...{ rcuname: 'rcu_preempt', gp_seq: -1151, mask: 0xbn, qsmask: 0n },
    ...{ level: 0, grplo: 0, grphi: 3, gp_tasks: 1 },
  });
  expect(data('rcu_grace_period_init: rcu_sched 9 1 16 31 ffffffffffffffff')).toMatchObject({
    qsmask: 0xffff_ffff_ffff_ffffn,
  });
  expect(data('rcu_watching: Startirq 0 140000000000000 0x91c')).toEqual({
    ...{ polarity: 'Startirq', oldnesting: 0n, newnesting: 0x140000000000000n, counter: 0x91cn },
  });
  expect(
    data(
      'rcu_segcb_stats: SegCbPostAcc seglen: (DONE=5, WAIT=3, NEXT_READY=0, NEXT=0) gp_seq: ' +
        '(DONE=0, WAIT=18446744073709550468, NEXT_READY=18446744073709550468, NEXT=0)',
    ),
  ).toMatchObject({ ctx: 'SegCbPostAcc', done: 5, wait: 3, waitSeq: -1148, nextSeq: 0 });
  expect(data('rcu_nocb_wake: rcu_preempt 3 WakeEmpty')).toMatchObject({ cpu: 3, reason: 'WakeEmpty' });
  expect(data('rcu_torture_read: rcu torture read 00000000a1 77us c: 5 6')).toMatchObject({ secs: 77, c: 6 });
  expect(data('rcu_stall_warning: rcu_preempt StallDetected')).toMatchObject({ msg: 'StallDetected' });
});

test('unknown strings and events are kept', () => {
  expect(only(line('rcu_grace_period: rcu_preempt 5 new_in_7_3')).data).toMatchObject({
    gpevent: 'new_in_7_3',
  });
  const mark = 'gpb upd 0 call 0 begin';
  expect(only(line(`0xffffffffa0000a9e: ${mark}`)).data).toEqual({ name: '0xffffffffa0000a9e', text: mark });
});

test('what is not understood is kept where it can be, and named with its line', () => {
  const text = `# tracer: nop\n\nCPU:2 [LOST 12 EVENTS]\n${line('rcu_grace_period: rcu_preempt x start')}\nwhat is this\n`;
  const { events, problems } = parseTrace(text);
  expect(events.map(({ event, data }) => [event, data])).toEqual([
    ['other', { name: 'rcu_grace_period', text: 'rcu_preempt x start' }],
  ]);
  expect(problems.map(({ message }) => message)).toEqual([
    'line 3: 12 events of CPU 2 are lost here',
    'line 4: not what rcu_grace_period prints: rcu_preempt x start',
    'line 5: not a trace event: what is this',
  ]);
});

test('a gp_seq that no kernel reaches is not rounded', () => {
  const { problems } = parseTrace(line('rcu_grace_period: rcu_preempt 9123372036854775807 start'));
  expect(problems.map((problem) => problem.line)).toEqual([1]);
});

test.each(readdirSync(FOLDER).filter((name) => name.endsWith('.txt')))(
  'every line of %s is understood',
  (name) => {
    const text = real(name);
    const { events, problems } = parseTrace(text);
    expect(problems).toEqual([]);
    expect(events).toHaveLength(
      text.split('\n').filter((each) => each !== '' && !each.startsWith('#')).length,
    );
    // Only the marks of the measuring module are not RCU events.
    const others = events.flatMap(({ event, data }) =>
      event === 'other' ? [(data as { name: string }).name] : [],
    );
    expect(others.filter((event) => isRcuEvent(event) || !/^0x[0-9a-f]+$/.test(event))).toEqual([]);
  },
);

const junk = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.stringMatching(/^[ \-[\]().:0-9a-z<>=#]{0,200}$/),
  fc
    .constantFrom(...real('gp-idle.txt').split('\n').slice(12))
    .chain((whole) =>
      fc
        .tuple(fc.nat({ max: whole.length }), fc.nat({ max: whole.length }), fc.string())
        .map(([from, to, between]) => whole.slice(0, from) + between + whole.slice(to)),
    ),
);

test('junk never throws: each line is an event, a comment or a message with its number', () => {
  fc.assert(
    fc.property(fc.array(junk.map((text) => text.replaceAll('\n', ' '))), (lines) => {
      const { events, problems } = parseTrace(lines.join('\n'));
      for (const problem of problems) expect(problem.message).toContain(`line ${problem.line}: `);
      const named = new Set([...events, ...problems].map((each) => each.line));
      lines.forEach((text, i) => {
        const isSkipped = text.trimEnd() === '' || text.startsWith('#');
        expect(named.has(i + 1)).toBe(!isSkipped);
      });
    }),
    { numRuns: 500 },
  );
});

test('long junk takes no longer than long text', () => {
  const half = 200_000;
  const hard = [
    ' '.repeat(half),
    '-1 '.repeat(half),
    `-1${' '.repeat(half)}x`,
    '-1 [1] '.repeat(half / 4),
    '9'.repeat(half),
    `-1 [0] 1.0: a:${' '.repeat(half)}x\u2028x`,
  ];
  const startedMs = performance.now();
  const { problems } = parseTrace(hard.join('\n'));
  expect(problems.length).toBe(4);
  expect(performance.now() - startedMs).toBeLessThan(5000);
});

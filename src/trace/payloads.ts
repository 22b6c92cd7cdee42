/**
 * The print formats of the kernel's RCU trace events as data, and parsers made of them. Field names are those of the
 * kernel's own format files; what an event means: docs/model, rules R2.* to R6.*.
 */

/** Reads the text of a field; undefined: not a value of this field. */
type Read = (text: string) => unknown;

const WORD_BITS = 64;

const word = (text: string): string => text;

/** %ld and %lu of a sequence word or a count: the word as a signed number, which is how the kernel prints gp_seq. */
function long(text: string): number | undefined {
  const value = Number(BigInt.asIntN(WORD_BITS, BigInt(text)));
  return Number.isSafeInteger(value) ? value : undefined;
}

/** %lx: a mask of up to 64 bits. */
const mask = (text: string): bigint => BigInt.asUintN(WORD_BITS, BigInt(`0x${text.replace(/^0x/, '')}`));

/** The rest of the line. */
const rest = (text: string): string => text;

const PATTERNS = new Map<Read, string>([
  [word, '\\S+'],
  [long, '-?\\d{1,20}'],
  [mask, '(?:0x)?[0-9a-f]{1,16}'],
  [rest, '.+'],
]);

/** Event name -> [print format with the fields in <>, what each field is]. */
const FORMATS = {
  rcu_utilization: ['<s>', { s: rest }],
  rcu_grace_period: ['<rcuname> <gp_seq> <gpevent>', { rcuname: word, gp_seq: long, gpevent: word }],
  rcu_future_grace_period: [
    '<rcuname> <gp_seq> <gp_seq_req> <level> <grplo> <grphi> <gpevent>',
    { rcuname: word, gp_seq: long, gp_seq_req: long, level: long, grplo: long, grphi: long, gpevent: word },
  ],
  rcu_grace_period_init: [
    '<rcuname> <gp_seq> <level> <grplo> <grphi> <qsmask>',
    { rcuname: word, gp_seq: long, level: long, grplo: long, grphi: long, qsmask: mask },
  ],
  rcu_quiescent_state_report: [
    '<rcuname> <gp_seq> <mask>><qsmask> <level> <grplo> <grphi> <gp_tasks>',
    {
      ...{ rcuname: word, gp_seq: long, mask: mask, qsmask: mask },
      ...{ level: long, grplo: long, grphi: long, gp_tasks: long },
    },
  ],
  rcu_fqs: ['<rcuname> <gp_seq> <cpu> <qsevent>', { rcuname: word, gp_seq: long, cpu: long, qsevent: word }],
  rcu_preempt_task: ['<rcuname> <gp_seq> <pid>', { rcuname: word, gp_seq: long, pid: long }],
  rcu_unlock_preempted_task: ['<rcuname> <gp_seq> <pid>', { rcuname: word, gp_seq: long, pid: long }],
  rcu_exp_grace_period: ['<rcuname> <gpseq> <gpevent>', { rcuname: word, gpseq: long, gpevent: word }],
  rcu_exp_funnel_lock: [
    '<rcuname> <level> <grplo> <grphi> <gpevent>',
    { rcuname: word, level: long, grplo: long, grphi: long, gpevent: word },
  ],
  rcu_nocb_wake: ['<rcuname> <cpu> <reason>', { rcuname: word, cpu: long, reason: word }],
  rcu_stall_warning: ['<rcuname> <msg>', { rcuname: word, msg: rest }],
  rcu_watching: [
    '<polarity> <oldnesting> <newnesting> <counter>',
    { polarity: word, oldnesting: mask, newnesting: mask, counter: mask },
  ],
  // Up to 6.11; its polarity is the opposite of rcu_watching's.
  rcu_dyntick: [
    '<polarity> <oldnesting> <newnesting> <counter>',
    { polarity: word, oldnesting: mask, newnesting: mask, counter: mask },
  ],
  rcu_callback: [
    '<rcuname> rhp=<rhp> func=<func> <qlen>',
    { rcuname: word, rhp: word, func: word, qlen: long },
  ],
  rcu_kvfree_callback: [
    '<rcuname> rhp=<rhp> func=<offset> <qlen>',
    { rcuname: word, rhp: word, offset: long, qlen: long },
  ],
  rcu_segcb_stats: [
    '<ctx> seglen: (DONE=<done>, WAIT=<wait>, NEXT_READY=<nextReady>, NEXT=<next>)' +
      ' gp_seq: (DONE=<doneSeq>, WAIT=<waitSeq>, NEXT_READY=<nextReadySeq>, NEXT=<nextSeq>)',
    {
      ...{ ctx: word, done: long, wait: long, nextReady: long, next: long },
      ...{ doneSeq: long, waitSeq: long, nextReadySeq: long, nextSeq: long },
    },
  ],
  rcu_batch_start: ['<rcuname> CBs=<qlen> bl=<blimit>', { rcuname: word, qlen: long, blimit: long }],
  rcu_invoke_callback: ['<rcuname> rhp=<rhp> func=<func>', { rcuname: word, rhp: word, func: word }],
  rcu_invoke_kvfree_callback: [
    '<rcuname> rhp=<rhp> func=<offset>',
    { rcuname: word, rhp: word, offset: long },
  ],
  rcu_invoke_kfree_bulk_callback: [
    '<rcuname> bulk=<p> nr_records=<nr_records>',
    { rcuname: word, p: word, nr_records: long },
  ],
  rcu_batch_end: [
    '<rcuname> CBs-invoked=<callbacks_invoked> idle=<flags>',
    { rcuname: word, callbacks_invoked: long, flags: word },
  ],
  rcu_sr_normal: ['<rcuname> rhp=<rhp> event=<srevent>', { rcuname: word, rhp: word, srevent: word }],
  rcu_barrier: [
    '<rcuname> <s> cpu <cpu> remaining <cnt> # <done>',
    { rcuname: word, s: word, cpu: long, cnt: long, done: long },
  ],
  rcu_torture_read: [
    '<rcutorturename> torture read <rhp> <secs>us c: <c_old> <c>',
    { rcutorturename: word, rhp: word, secs: long, c_old: long, c: long },
  ],
} as const satisfies Readonly<Record<string, readonly [string, Readonly<Record<string, Read>>]>>;

type Formats = typeof FORMATS;
/** RCU trace events that are understood. */
export type RcuEventName = keyof Formats;
type FieldsOf<N extends RcuEventName> = Formats[N][1];
/** The fields of an event: numbers, masks as bigint, names as they stand, unknown ones too. */
export type RcuPayload<N extends RcuEventName> = {
  readonly [F in keyof FieldsOf<N>]: FieldsOf<N>[F] extends (text: string) => infer V
    ? Exclude<V, undefined>
    : never;
};

/** "<a> x=<b>" -> a pattern of the whole payload with the groups a and b. */
function compile(format: string, fields: Readonly<Record<string, Read>>): RegExp {
  const pattern = format
    .replace(/[()#.*+?]/g, '\\$&')
    .replace(/<(\w+)>/g, (_, name: string) => `(?<${name}>${PATTERNS.get(fields[name] as Read)})`);
  return new RegExp(`^${pattern}$`);
}

const COMPILED = new Map(
  Object.entries(FORMATS).map(([name, [format, fields]]) => [
    name,
    { pattern: compile(format, fields), fields },
  ]),
);

/** True for events whose payload is understood. */
export function isRcuEvent(name: string): name is RcuEventName {
  return COMPILED.has(name);
}

/** The fields of a payload; undefined if the text is not what the event prints. */
export function parsePayload<N extends RcuEventName>(name: N, text: string): RcuPayload<N> | undefined {
  const { pattern, fields } = COMPILED.get(name) as {
    pattern: RegExp;
    fields: Readonly<Record<string, Read>>;
  };
  const groups = pattern.exec(text)?.groups;
  if (groups === undefined) return undefined;
  const entries = Object.entries(fields).map(
    ([field, read]) => [field, read(groups[field] as string)] as const,
  );
  if (entries.some(([, value]) => value === undefined)) return undefined;
  return Object.fromEntries(entries) as RcuPayload<N>;
}

/** Reads the text of /sys/kernel/tracing/trace: one event a line, `comm-pid [cpu] flags seconds: event: payload`. */
import { isRcuEvent, parsePayload, type RcuEventName, type RcuPayload } from './payloads.ts';

/** Where and when an event was written. */
export interface TracePlace {
  /** Line in the text, from 1. */
  readonly line: number;
  /** Task that ran, also where an interrupt of it wrote the event. */
  readonly comm: string;
  readonly pid: number;
  readonly cpu: number;
  /** irqs-off, need-resched, hardirq/softirq, preempt-depth, migrate-disable; "" if the trace has none. */
  readonly flags: string;
  /** Since boot, on the trace's own clock. */
  readonly timeNs: number;
}

/** An event by name with its fields, or "other": not an RCU event, or one with a payload that is not understood. */
export type TraceEvent = TracePlace &
  (
    | { [N in RcuEventName]: { readonly event: N; readonly data: RcuPayload<N> } }[RcuEventName]
    | { readonly event: 'other'; readonly data: { readonly name: string; readonly text: string } }
  );

/** A line that is not understood. */
export interface TraceProblem {
  /** From 1. */
  readonly line: number;
  /** "line 7: ...", with what is there. */
  readonly message: string;
}

/** What a text holds, in its order. Nothing is dropped but comments and empty lines. */
export interface Trace {
  readonly events: readonly TraceEvent[];
  readonly problems: readonly TraceProblem[];
}

/** From the pid on; the command before it may contain anything, also brackets and dashes. */
const PLACE =
  /-(?<pid>\d{1,10})\s+(?:\([^)]{0,20}\)\s+)?\[(?<cpu>\d{1,5})\]\s+(?:(?<flags>[^\s\d]\S{0,9})\s+)?(?<seconds>\d{1,10})\.(?<fraction>\d{1,9}):\s+(?<name>[^\s:]+):(?:\s+(?<text>.*))?$/s;
const LOST = /^CPU:(\d+) \[LOST (\d+) EVENTS\]$/;
const NS_DIGITS = 9;
const NS_PER_S = 1_000_000_000;
/** How much of a line is quoted in a message. */
const QUOTED = 80;

function parseLine(text: string, line: number): TraceEvent | undefined {
  const match = PLACE.exec(text);
  const groups = match?.groups;
  if (match === null || groups === undefined) return undefined;
  const { pid, cpu, flags = '', seconds, fraction = '', name = '', text: payload = '' } = groups;
  const place = {
    ...{ line, comm: text.slice(0, match.index).trim(), pid: Number(pid), cpu: Number(cpu), flags },
    timeNs: Number(seconds) * NS_PER_S + Number(fraction.padEnd(NS_DIGITS, '0')),
  };
  const data = isRcuEvent(name) ? parsePayload(name, payload.trimEnd()) : undefined;
  return data === undefined
    ? { ...place, event: 'other', data: { name, text: payload } }
    : ({ ...place, event: name, data } as TraceEvent);
}

/** Every event and every line that is not one. Never throws. */
export function parseTrace(text: string): Trace {
  const events: TraceEvent[] = [];
  const problems: TraceProblem[] = [];
  const complain = (line: number, message: string) =>
    problems.push({ line, message: `line ${line}: ${message}` });
  let line = 0;
  for (let from = 0; from < text.length; ) {
    const newline = text.indexOf('\n', from);
    const to = newline < 0 ? text.length : newline;
    const content = text.slice(from, to).trimEnd();
    from = to + 1;
    line++;
    if (content === '' || content.startsWith('#')) continue;
    const event = parseLine(content, line);
    const lost = event === undefined ? LOST.exec(content) : null;
    if (lost !== null) complain(line, `${lost[2]} events of CPU ${lost[1]} are lost here`);
    else if (event === undefined) complain(line, `not a trace event: ${content.slice(0, QUOTED)}`);
    else {
      events.push(event);
      if (event.event === 'other' && isRcuEvent(event.data.name))
        complain(line, `not what ${event.data.name} prints: ${event.data.text.slice(0, QUOTED)}`);
    }
  }
  return { events, problems };
}

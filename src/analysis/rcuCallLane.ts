/** The lane of the calls of Tree RCU, or of a flavour of RCU Tasks: each call in its phases, one behind the other. */
import type { EventLog } from '../engine/core/eventLog.ts';
import { GrowingTable } from './growingTable.ts';
import { LaneBuilder, SPAN_COLUMNS, sortByStart } from './laneBuilder.ts';
import { MARK_CLASS, type Marks, SPAN_CLASS, type Spans } from './laneTypes.ts';
import type { RunIndex } from './types.ts';

/** Calls on track `domain`, up to the end of the run. */
export function rcuCallLane(log: EventLog, index: RunIndex, domain: number): { spans: Spans; marks: Marks } {
  const { calls, endNs } = index;
  const whole = new LaneBuilder();
  const returned: { readonly ns: number; readonly row: number }[] = [];
  for (let call = 0; call < calls.length; call++) {
    if (calls.domain[call] !== domain) continue;
    const row = calls.callRow[call] as number;
    const isOpen = calls.returnRow[call] === -1;
    const toNs = isOpen ? endNs : (calls.returnNs[call] as number);
    // `value` is the call until it is taken apart
    const span = { cls: SPAN_CLASS.call, row, track: calls.thread[call] as number, value: call };
    whole.add(calls.callNs[call] as number, toNs, span);
    if (!isOpen) returned.push({ ns: toNs, row: calls.returnRow[call] as number });
  }
  returned.sort((x, y) => x.row - y.row);
  for (const { ns, row } of returned) whole.mark(ns, MARK_CLASS.callReturns, row);
  const { spans, marks } = whole.finish(endNs);
  return { spans: inPhases(spans, log, index), marks };
}

/** When the phases of a call end, in their order; NaN: it has no such phase. */
export function callPhaseEnds(
  log: EventLog,
  { calls, gps, info }: RunIndex,
  call: number,
): readonly (readonly [cls: number, endNs: number])[] {
  const gp = calls.gp[call] as number;
  const startNs = gp < 0 ? Number.NaN : (gps.startNs[gp] as number);
  const numbered = calls.numberedRow[call] as number;
  // callbacks of RCU Tasks have no numbers
  const isTasks = info.tracks[calls.domain[call] as number]?.kind === 'kthread';
  const hasCallback = !isTasks && !Number.isNaN(calls.callback[call] as number);
  const numberedNs =
    numbered < 0 ? (hasCallback ? Number.POSITIVE_INFINITY : Number.NaN) : log.timeNs(numbered);
  const gpEndNs = gp < 0 ? Number.NaN : (gps.endNs[gp] as number);
  return [
    [SPAN_CLASS.callNumber, numberedNs],
    [SPAN_CLASS.callResidual, startNs],
    [SPAN_CLASS.callGp, gp >= 0 && Number.isNaN(gpEndNs) ? Number.POSITIVE_INFINITY : gpEndNs],
    [SPAN_CLASS.callCallback, gp < 0 ? Number.NaN : Number.POSITIVE_INFINITY],
  ];
}

function inPhases(spans: Spans, log: EventLog, index: RunIndex): Spans {
  const table = new GrowingTable(SPAN_COLUMNS);
  for (let i = 0; i < spans.length; i++) {
    const call = spans.value[i] as number;
    const toNs = spans.endNs[i] as number;
    let fromNs = spans.startNs[i] as number;
    const put = (cls: number, untilNs: number) => {
      if (!(untilNs > fromNs)) return;
      const n = table.add();
      const c = table.columns;
      c.startNs[n] = fromNs;
      c.endNs[n] = untilNs;
      c.cls[n] = cls;
      c.depth[n] = spans.depth[i] as number;
      c.row[n] = spans.row[i] as number;
      c.track[n] = spans.track[i] as number;
      c.value[n] = index.calls.number[call] as number;
      fromNs = untilNs;
    };
    for (const [cls, untilNs] of callPhaseEnds(log, index, call)) put(cls, Math.min(untilNs, toNs));
    put(SPAN_CLASS.call, toNs);
  }
  return sortByStart(table.finish());
}

/** Small logs written by hand, one row a line: time, kind, track, payload; names stand for tracks. */
import type { SimConfig } from '../engine/config.ts';
import { KIND, type KindName } from '../engine/core/eventKinds.ts';
import { addRow } from '../engine/core/eventLog.testkit.ts';
import { EventLog } from '../engine/core/eventLog.ts';
import type { RunInfo, Track } from '../engine/core/info.ts';
import { packPass } from '../engine/core/passCode.ts';
import { resolveRules } from '../engine/profiles/profiles.ts';
import { srcuConstants } from '../engine/srcu/constants.ts';

/** Tracks in the order of an engine that has CPUs first: "reader/0@1" is a thread of actor 0 on CPU 1. */
function tracksOf(names: readonly string[], cpus: number): Track[] {
  const tracks: Track[] = [];
  for (let cpu = 0; cpu < cpus; cpu++) {
    tracks.push({ id: cpu, kind: 'cpu', name: `CPU ${cpu}`, cpu, actor: -1, number: 0 });
  }
  names.forEach((text, actor) => {
    const [name = '', cpu = '-1'] = text.split('@');
    const kind = name.startsWith('srcu') ? 'srcu' : name.startsWith('kworker') ? 'worker' : 'thread';
    tracks.push({
      id: tracks.length,
      kind,
      name,
      cpu: Number(cpu),
      actor: kind === 'thread' ? actor : -1,
      number: 0,
    });
  });
  return tracks;
}

/**
 * A log from text. Payloads: numbers, names of tracks, or a pass "scanStart>scanEnd failed/checks d=1 n=4" written
 * without blanks as `2>2:3/3:d1:n4` (outcome: `again`, unless scanEnd is 0).
 *
 *   1000 srcu_lock reader/0 srcu 0 1
 */
export function drawLog(
  config: SimConfig,
  names: readonly string[],
  text: string,
): { log: EventLog; info: RunInfo } {
  const tracks = tracksOf(names, config.cpus);
  const rules = resolveRules(config.kernel, config.rules);
  const contended = text.includes('sched_switch');
  const info: RunInfo = { config, rules, tracks, srcu: srcuConstants(config, rules), contended };
  const number = (word: string): number => {
    const track = tracks.find((other) => other.name === word || other.name === word.replace('CPU', 'CPU '));
    if (track !== undefined) return track.id;
    const pass = /^(\d)>(\d):(\d+)\/(\d+):d(\d+):n(\d+)$/.exec(word);
    if (pass === null) return Number(word);
    const [scanStart = 0, scanEnd = 0, failedChecks = 0, checks = 0, delay = 0, nAfter = 0] = pass
      .slice(1)
      .map(Number);
    const outcome = scanEnd === 0 ? 1 : 0;
    return packPass({ scanStart, scanEnd, failedChecks, checks, delay, outcome, cpu: 0, nAfter });
  };
  const log = new EventLog();
  for (const line of text.split('\n')) {
    const words = line.trim().split(/\s+/);
    if (words.length < 3) continue;
    const [time, kind, track, a = '0', b = '0', c = '0', d = '0'] = words as [string, KindName, string];
    const row = [a, b, c, d].map(number);
    if (KIND[kind] === undefined || row.some(Number.isNaN)) throw new Error(`not a row: ${line}`);
    const [va = 0, vb = 0, vc = 0, vd = 0] = row;
    addRow(log, Number(time), KIND[kind], number(track), -1, va, vb, vc, vd);
  }
  return { log, info };
}

/** Start states: what a measured run started from is not recorded, so a record is tried in 20 of them. */
import type { OracleConfig, StartState } from './records.ts';

const NS_PER_S = 1_000_000_000;
/** Readers are spread over the largest hold, up to this. */
const SPREAD_LIMIT_NS = 20_000_000;

function largestHoldNs(config: OracleConfig): number {
  const holds = config.actors.map((actor) => {
    const hold = actor.hold as number | { lcg: { hi: number } } | undefined;
    return typeof hold === 'object' ? hold.lcg.hi : (hold ?? 0);
  });
  return Math.max(0, ...holds);
}

function changedActor(actor: Readonly<Record<string, unknown>>, state: StartState, spreadNs: number) {
  if (actor.kind === 'reader') {
    const start = Math.round((state.readerStart as number) * spreadNs);
    return { ...actor, start, stagger: state.readerStaggerNs };
  }
  const start = actor.start as { ticks: number; plus: number };
  return actor.kind === 'updater' ? { ...actor, start: { ...start, plus: state.updaterPlusNs } } : actor;
}

/** The configuration of a record in a start state (test-data/oracle/README.md, "Start states"). */
export function inState(config: OracleConfig, state: StartState): OracleConfig {
  if (state.state === 0) return config;
  const spreadNs = Math.max(NS_PER_S / config.hz, Math.min(largestHoldNs(config), SPREAD_LIMIT_NS));
  const lag = config.initial?.workerLagNs;
  const lagOfCpu0 = typeof lag === 'number' ? lag : (lag?.[0] ?? 0);
  return {
    ...config,
    seed: state.seed as number,
    actors: config.actors.map((actor) => changedActor(actor, state, spreadNs)),
    initial: { ...config.initial, workerLagNs: [lagOfCpu0, state.workerLagOthersNs as number] },
    machine: {
      ...config.machine,
      ...(state.jiffyRace === undefined ? {} : { jiffyRace: state.jiffyRace }),
      ...(state.timerSelfExpire === undefined ? {} : { timerSelfExpire: state.timerSelfExpire }),
    },
  };
}

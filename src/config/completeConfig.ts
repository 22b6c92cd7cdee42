/** From a sparse configuration to a complete one: every default, no judgement. */
import { domainOfApi } from '../engine/config.ts';
import type { Actor, InitialState, SimConfig, Start, Stop, UpdaterApi } from '../engine/index.ts';
import {
  DEFAULT_PRESET,
  defaultWorkerLagNs,
  type Machine,
  type PresetId,
  presetMachine,
  WINDOW_100,
} from '../engine/machine/presets.ts';
import { buildOf } from '../engine/profiles/kernelParams.ts';
import { DEFAULT_PROFILE, type ProfileId, type RuleId } from '../engine/profiles/profiles.ts';
import type { ActorInput, ConfigInput, InitialInput, MachineInput, StopInput } from './configInput.ts';
import { afterBoot, defaultParams } from './paramSet.ts';

/** Values of absent keys (docs/configuration.md). */
export const DEFAULTS = {
  kernel: DEFAULT_PROFILE,
  hz: 250,
  startJiffies: 0,
  cpus: 4,
  preempt: 'full',
  seed: 1,
  preset: DEFAULT_PRESET,
} as const;

/** What `passNs` stands for (spec srcu 11.2). */
export const PASS_ENTRIES = ['passLoopNs', 'passFirstCheckNs', 'cbWorkNs'] as const;

/** `passNs` written out, so that an overlay may change one of the three. */
export function expandPassNs(machine: MachineInput): MachineInput {
  const { passNs, ...rest } = machine;
  if (passNs === undefined) return machine;
  return { ...Object.fromEntries(PASS_ENTRIES.map((entry) => [entry, passNs])), ...rest };
}

/** Size class of the object of rcuscale's kfree test (spec kvfree K19). */
const KFREE_BYTES = 32;
/** Of a task that exits (spec tasks 2.1). */
const EXIT_NS = 50_000;
const TAIL_NS = 5000;
const ACTOR_BASE = { cpu: 0, count: 1, start: 0 as Start, stagger: 0 };

/** An actor with its defaults (docs/configuration.md). The first word of each choice is the default. */
export function completeActor(actor: ActorInput): Actor {
  switch (actor.kind) {
    case 'reader': {
      const defaults = { domain: 'srcu', holdMode: 'spin', idle: 0, idleMode: 'spin', incDelay: 0 };
      const { kind, ...given } = actor;
      return { kind, ...ACTOR_BASE, ...defaults, ...given } as Actor;
    }
    case 'updater': {
      const defaults = {
        domain: domainOfApi(actor.api as UpdaterApi),
        gap: 0,
        gapMode: 'sleep',
        gapFrom: 'return',
        batch: 1,
        wait: 'barrier',
        cookie: 'compressed',
      };
      const { kind, ...given } = actor;
      return { kind, ...ACTOR_BASE, ...defaults, ...given } as Actor;
    }
    case 'load': {
      const { kind, ...given } = actor;
      return { kind, ...ACTOR_BASE, mode: 'kernel', idle: 0, ...given } as Actor;
    }
    case 'kfree': {
      const defaults = { sizes: [KFREE_BYTES], form: 'double', resched: true, nice: 19, sampleNs: 0 };
      const { kind, ...given } = actor;
      return { kind, ...ACTOR_BASE, ...defaults, ...given } as Actor;
    }
    case 'holdout': {
      const { kind, ...given } = actor;
      return { kind, ...ACTOR_BASE, ...given } as Actor;
    }
    case 'exiter': {
      const { kind, ...given } = actor;
      return { kind, ...ACTOR_BASE, exit: EXIT_NS, tail: TAIL_NS, ...given } as Actor;
    }
  }
}

function completeMachine(input: MachineInput): Machine {
  const preset = (input.preset ?? DEFAULTS.preset) as PresetId;
  const isFine = preset === 'virtual-1gips' && input.windowNs === 100;
  return {
    ...presetMachine(preset),
    ...(isFine ? WINDOW_100 : {}),
    ...expandPassNs(input),
    preset,
  } as Machine;
}

function completeInitial(input: InitialInput, preset: PresetId): InitialState {
  const { workerLagNs, ...rest } = input;
  const given = typeof workerLagNs === 'number' ? [workerLagNs] : workerLagNs;
  return { ...rest, workerLagNs: given ?? defaultWorkerLagNs(preset) };
}

function completeStop(input: StopInput): Stop {
  const afterNs = input.afterNs as number | undefined;
  const whenDone = input.whenDone ?? afterNs === undefined;
  return { ...(afterNs === undefined ? {} : { afterNs }), ...(whenDone ? { whenDone } : {}) };
}

/**
 * Fills in defaults. `input` is one that `readInput` has read (durations are numbers), merged with its scenario;
 * without actors it gets none.
 */
export function completeConfig(input: ConfigInput): SimConfig {
  const kernel = (input.kernel ?? DEFAULTS.kernel) as ProfileId;
  const hz = input.hz ?? DEFAULTS.hz;
  const rules = (input.rules ?? {}) as Partial<Record<RuleId, string>>;
  const cpus = input.cpus ?? DEFAULTS.cpus;
  const kconfig = input.kconfig ?? {};
  const machine = completeMachine(input.machine ?? {});
  const build = buildOf({ kernel, rules, hz, cpus, kconfig });
  return {
    v: 1,
    ...(input.scenario === undefined ? {} : { scenario: input.scenario }),
    kernel,
    rules,
    hz,
    startJiffies: input.startJiffies ?? DEFAULTS.startJiffies,
    cpus,
    preempt: input.preempt ?? DEFAULTS.preempt,
    seed: input.seed ?? DEFAULTS.seed,
    params: { ...defaultParams(build), ...afterBoot(input.params ?? {}, build) },
    machine,
    initial: completeInitial(input.initial ?? {}, machine.preset),
    kconfig,
    actors: (input.actors ?? []).map(completeActor),
    stop: completeStop(input.stop ?? {}),
  };
}

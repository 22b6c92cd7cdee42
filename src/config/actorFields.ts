/** What the keys of each kind of actor may be (docs/configuration.md). */
import { APIS } from '../engine/config.ts';
import type { ActorInput } from './configInput.ts';
import {
  booleanField,
  distField,
  durationField,
  type Field,
  integerField,
  readerDomainField,
  startField,
  updaterDomainField,
  wordField,
} from './fields.ts';
import { MAX_CPUS, MAX_OBJECT_BYTES } from './machineFields.ts';
import { listOf } from './problem.ts';

const MAX_COUNT = 65_535;
const MAX_CALLS = 100_000_000;
const MAX_BATCH = 1_000_000;
const MAX_SIZES = 64;

const ACTOR_BASE = {
  cpu: integerField(0, MAX_CPUS - 1),
  count: integerField(1, MAX_COUNT),
  start: startField,
  stagger: durationField,
};

const apiField: Field<string> = {
  allowed: listOf(APIS),
  read: (value) => APIS.find((api) => api === value),
};

const sizesField: Field<readonly number[]> = {
  allowed: `a list of 1 to ${MAX_SIZES} sizes, whole bytes from 1 to ${MAX_OBJECT_BYTES}`,
  read: (value) => {
    if (!Array.isArray(value) || value.length === 0 || value.length > MAX_SIZES) return undefined;
    const sizes = value.map(integerField(1, MAX_OBJECT_BYTES).read);
    return sizes.every((size) => size !== undefined) ? sizes : undefined;
  },
};

/** The fields of a kind of actor; `required` ones have no default. */
interface ActorFields {
  readonly required: readonly string[];
  readonly fields: Readonly<Record<string, Field<unknown>>>;
}

/** The fields of each kind of actor. */
export const ACTOR_FIELDS: Readonly<Record<ActorInput['kind'], ActorFields>> = {
  reader: {
    required: ['hold'],
    fields: {
      ...ACTOR_BASE,
      domain: readerDomainField,
      hold: distField,
      holdMode: wordField(['spin', 'sleep']),
      idle: distField,
      idleMode: wordField(['spin', 'sleep']),
      times: integerField(1, Number.MAX_SAFE_INTEGER),
      incDelay: distField,
    },
  },
  updater: {
    required: ['api', 'calls'],
    fields: {
      ...ACTOR_BASE,
      api: apiField,
      domain: updaterDomainField,
      calls: integerField(1, MAX_CALLS),
      gap: distField,
      gapMode: wordField(['sleep', 'spin']),
      gapFrom: wordField(['return', 'call']),
      batch: integerField(1, MAX_BATCH),
      wait: wordField(['barrier', 'none']),
      cookie: wordField(['compressed', 'full']),
    },
  },
  load: {
    required: [],
    fields: { ...ACTOR_BASE, mode: wordField(['kernel', 'user']), spin: distField, idle: distField },
  },
  kfree: {
    required: ['loops', 'allocs'],
    fields: {
      ...ACTOR_BASE,
      loops: integerField(1, Number.MAX_SAFE_INTEGER),
      allocs: integerField(1, Number.MAX_SAFE_INTEGER),
      sizes: sizesField,
      form: wordField(['double', 'single', 'mixed']),
      resched: booleanField,
      nice: integerField(-20, 19),
      sampleNs: durationField,
    },
  },
  holdout: { required: ['spin', 'sleep'], fields: { ...ACTOR_BASE, spin: distField, sleep: distField } },
  exiter: {
    required: ['gap'],
    fields: { ...ACTOR_BASE, gap: distField, exit: distField, tail: distField },
  },
};

/** All kinds of actors. */
export const ACTOR_KINDS = Object.keys(ACTOR_FIELDS) as ActorInput['kind'][];

import { createStore } from 'zustand/vanilla';
import { isSameValue } from './isSameValue.ts';

/** Keys of a configuration that are set as a whole. */
export type ConfigKey = 'kernel' | 'hz' | 'startJiffies' | 'cpus' | 'preempt' | 'seed' | 'actors' | 'stop';
/** Keys of a configuration that hold entries by name. */
export type ConfigGroup = 'params' | 'rules' | 'machine' | 'initial' | 'kconfig';
/** Where a value stands: `['hz']`, or `['params', 'srcutree.exp_holdoff']`. */
export type ConfigPath = readonly [ConfigKey] | readonly [ConfigGroup, string];

/** What differs from the scenario: a partial configuration as it may stand in a file (docs/configuration.md). */
export type Overrides = { readonly [K in ConfigKey]?: unknown } & {
  readonly [G in ConfigGroup]?: Readonly<Record<string, unknown>>;
};

/** A scenario and what was changed in it: all that decides a run. */
export interface Choice {
  /** "boot-storm:row-200"; empty: none, the overrides say everything. */
  readonly scenario: string;
  readonly overrides: Overrides;
}

/** The choice, with what can be undone and redone. */
export interface ConfigState extends Choice {
  readonly past: readonly Choice[];
  readonly future: readonly Choice[];
  /** The choice before the drag under way; a drag is one step of the history. */
  readonly beforeDrag: Choice | undefined;
}

/** Steps that undo remembers. */
const MAX_HISTORY = 200;

const choiceOf = ({ scenario, overrides }: Choice): Choice => ({ scenario, overrides });

/** The value at a path, or undefined. */
export function overrideAt(overrides: Overrides, path: ConfigPath): unknown {
  const value = overrides[path[0]];
  return path[1] === undefined ? value : (value as Readonly<Record<string, unknown>> | undefined)?.[path[1]];
}

/** The overrides with one value set, or taken away (undefined). Groups without entries vanish. */
export function withOverride(overrides: Overrides, path: ConfigPath, value: unknown): Overrides {
  const next: Record<string, unknown> = { ...overrides };
  const [key, name] = path;
  if (name === undefined) next[key] = value;
  else {
    const group: Record<string, unknown> = { ...overrides[key as ConfigGroup], [name]: value };
    if (value === undefined) delete group[name];
    next[key] = Object.keys(group).length === 0 ? undefined : group;
  }
  if (next[key] === undefined) delete next[key];
  return next;
}

/** Number of single values that differ from the scenario. */
export function countChanges(overrides: Overrides): number {
  let count = 0;
  for (const [key, value] of Object.entries(overrides)) {
    const isGroup = ['params', 'rules', 'machine', 'initial', 'kconfig'].includes(key);
    count += isGroup ? Object.keys(value as object).length : 1;
  }
  return count;
}

export type ConfigStore = ReturnType<typeof createConfigStore>;

/**
 * What is simulated. `baseOf` says what a path comes to without its override (the scenario's value or the kernel's
 * default): a value set to that is no change.
 */
export function createConfigStore(initial: Choice, baseOf: (choice: Choice, path: ConfigPath) => unknown) {
  const store = createStore<ConfigState>(() => ({ ...initial, past: [], future: [], beforeDrag: undefined }));
  const { setState: set, getState: get } = store;

  let dragged: ConfigPath | undefined;

  /** Makes `next` the choice and `before` a step that can be undone. */
  const commit = (before: Choice, next: Choice) => {
    const past = [...get().past, choiceOf(before)].slice(-MAX_HISTORY);
    set({ ...choiceOf(next), past, future: [], beforeDrag: undefined });
  };
  const edited = (choice: Choice, path: ConfigPath, value: unknown): Choice => {
    const { scenario, overrides } = choice;
    const without = { scenario, overrides: withOverride(overrides, path, undefined) };
    if (value === undefined || isSameValue(value, baseOf(without, path))) return without;
    return { scenario, overrides: withOverride(overrides, path, value) };
  };
  const apply = (next: Choice) => {
    if (!isSameValue(choiceOf(get()), next)) commit(get().beforeDrag ?? get(), next);
  };

  return {
    ...store,
    /** Sets one value (undefined: back to the scenario's). */
    setValue: (path: ConfigPath, value: unknown) => apply(edited(get(), path, value)),
    /** Sets one value while it is dragged: no step of the history, and not compared with the base, until `release`. */
    dragValue: (path: ConfigPath, value: unknown) => {
      const { scenario, overrides, beforeDrag } = get();
      dragged = path;
      set({
        scenario,
        overrides: withOverride(overrides, path, value),
        beforeDrag: beforeDrag ?? choiceOf(get()),
      });
    },
    /** The drag has ended. */
    release: () => {
      const { beforeDrag } = get();
      if (beforeDrag === undefined || dragged === undefined) return;
      const ended = edited(get(), dragged, overrideAt(get().overrides, dragged));
      if (isSameValue(beforeDrag, ended)) set({ ...ended, beforeDrag: undefined });
      else commit(beforeDrag, ended);
    },
    /** Sets several values, in order, as one step: a pasted command line. */
    setValues: (values: readonly (readonly [ConfigPath, unknown])[]) =>
      apply(values.reduce<Choice>((choice, [path, value]) => edited(choice, path, value), choiceOf(get()))),
    /** Another scenario, or what a link says. */
    choose: (choice: Choice) => apply(choiceOf(choice)),
    /** Back to the scenario in everything. */
    resetAll: () => apply({ scenario: get().scenario, overrides: {} }),
    undo: () => {
      const { past, future } = get();
      const previous = past.at(-1);
      if (previous === undefined) return;
      set({
        ...previous,
        past: past.slice(0, -1),
        future: [choiceOf(get()), ...future],
        beforeDrag: undefined,
      });
    },
    redo: () => {
      const { past, future } = get();
      const next = future[0];
      if (next === undefined) return;
      set({ ...next, past: [...past, choiceOf(get())], future: future.slice(1), beforeDrag: undefined });
    },
  };
}

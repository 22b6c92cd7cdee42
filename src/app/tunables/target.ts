import { type ConfigPath, overrideAt } from '../../state/configStore.ts';
import { useConfig, useSession } from '../session.ts';

/** What a tunable writes to. */
export interface Target {
  /** Differs from the scenario. */
  readonly isChanged: boolean;
  /** One step of the history; undefined: back to the scenario. */
  readonly set: (value: unknown) => void;
  /** While dragged. */
  readonly drag: (value: unknown) => void;
}

/** A single value of the configuration. */
export function useTarget(path: ConfigPath): Target {
  const { config, drag } = useSession();
  const isChanged = useConfig((state) => overrideAt(state.overrides, path) !== undefined);
  return {
    isChanged,
    set: (value) => config.setValue(path, value),
    drag: (value) => drag.step(() => config.dragValue(path, value)),
  };
}

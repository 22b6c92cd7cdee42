import { findProfile } from '../engine/profiles/profiles.ts';
import { kernelHasParam, SRCU_PARAMS } from '../engine/srcu/params.ts';
import type { ConfigPath } from '../state/configStore.ts';
import type { Session } from './session.ts';

/**
 * Another kernel. Parameters that were set and that it does not have go with the old one, and a notice says which.
 */
export function changeKernel({ config, run }: Session, id: string): void {
  const kernel = findProfile(id)?.id;
  if (kernel === undefined) return;
  const set = Object.keys(config.getState().overrides.params ?? {});
  const lost = SRCU_PARAMS.filter((param) => set.includes(param.name) && !kernelHasParam(kernel, param));
  const values: [ConfigPath, unknown][] = lost.map(({ name }) => [['params', name], undefined]);
  config.setValues([...values, [['kernel'], kernel]]);
  if (lost.length === 0) return;
  run.notify({
    source: 'config',
    tone: 'info',
    text: `${kernel} does not have these parameters; they were taken back (undo brings them again)`,
    details: lost.map(({ name }) => name),
  });
}

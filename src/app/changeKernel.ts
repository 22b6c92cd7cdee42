import { findParam } from '../config/paramSet.ts';
import { kernelHasParam } from '../engine/profiles/kernelParams.ts';
import { findProfile, resolveRules } from '../engine/profiles/profiles.ts';
import type { ConfigPath } from '../state/configStore.ts';
import type { Session } from './session.ts';

/**
 * Another kernel. Parameters that were set and that it does not have go with the old one, and a notice says which.
 */
export function changeKernel({ config, setup, run }: Session, id: string): void {
  const kernel = findProfile(id)?.id;
  if (kernel === undefined) return;
  const set = Object.keys(config.getState().overrides.params ?? {});
  const rules = resolveRules(kernel, setup.getState().config.rules);
  const lost = set.filter((name) => {
    const param = findParam(name);
    return param !== undefined && !kernelHasParam(kernel, param, rules);
  });
  const values = lost.map((name): [ConfigPath, unknown] => [['params', name], undefined]);
  config.setValues([...values, [['kernel'], kernel]]);
  if (lost.length === 0) return;
  run.notify({
    source: 'config',
    tone: 'info',
    text: `${kernel} does not have these parameters; they were taken back (undo brings them again)`,
    details: lost,
  });
}

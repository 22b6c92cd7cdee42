import type { SimConfig } from '../engine/index.ts';
import { buildOf } from '../engine/profiles/kernelParams.ts';
import { bootText } from './bootParams.ts';
import { defaultParams } from './paramSet.ts';

/** Boot arguments for every parameter that is not at its kernel's default, to be pasted: "srcutree.x=1 ...". */
export function bootArguments(config: SimConfig): string {
  const defaults = defaultParams(buildOf(config));
  return Object.entries(config.params)
    .filter(([name, value]) => value !== defaults[name])
    .map(([name, value]) => bootText(name, value))
    .join(' ');
}

import type { SimConfig } from '../engine/index.ts';
import { resolveRules } from '../engine/profiles/profiles.ts';
import { bootText } from './bootParams.ts';
import { defaultParams } from './paramSet.ts';

/** Boot arguments for every parameter that is not at its kernel's default, to be pasted: "srcutree.x=1 ...". */
export function bootArguments(config: SimConfig): string {
  const defaults = defaultParams(config.kernel, resolveRules(config.kernel, config.rules), config.hz);
  return Object.entries(config.params)
    .filter(([name, value]) => value !== defaults[name])
    .map(([name, value]) => bootText(name, value))
    .join(' ');
}

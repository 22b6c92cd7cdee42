import { releasesOf } from '../../config/paramSet.ts';
import type { SimConfig } from '../../engine/index.ts';
import { resolveRules } from '../../engine/profiles/profiles.ts';
import { defaultSrcuParam, kernelHasParam, type ParamInfo, SRCU_PARAMS } from '../../engine/srcu/params.ts';
import type { SliderScale } from '../../ui/sliderScale.ts';
import { useSetup } from '../session.ts';
import { integerCodec } from './numberCodec.ts';
import { NumberTunable } from './Tunable.tsx';
import { useTarget } from './target.ts';

/** Units that stand behind the number; the others are told in its meaning. */
const UNIT_SHOWN: Readonly<Record<string, string>> = { us: 'µs', ns: 'ns' };
/** How far the slider of a parameter goes; larger values can be typed. */
const SLIDER_MAX: Readonly<Record<string, number>> = {
  'srcutree.srcu_max_nodelay_phase': 1_000_000,
  'srcutree.srcu_max_nodelay': 1_000_000,
  'srcutree.srcu_retry_check_delay': 10_000,
  'experiment.second_retry_delay': 10_000,
  'srcutree.exp_holdoff': 1_000_000_000,
  'srcutree.convert_to_big': 19,
  'srcutree.big_cpu_lim': 4096,
  'srcutree.small_contention_lim': 10_000,
};

function scaleOf(name: string): SliderScale {
  const max = SLIDER_MAX[name] ?? 1000;
  return { kind: max < 100 ? 'linear' : 'log', min: 0, max };
}

/** The default of this configuration's kernel; undefined where there is none or no limit. */
function defaultOf(name: string, { kernel, rules, hz }: SimConfig): number | undefined {
  const value = defaultSrcuParam(name, resolveRules(kernel, rules), hz);
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

function ParamTunable({ param }: { readonly param: ParamInfo }) {
  const config = useSetup((setup) => setup.config);
  const { name } = param;
  const target = useTarget(['params', name]);
  const isMissing = !kernelHasParam(config.kernel, param);
  const value = config.params[name];
  const defaultValue = defaultOf(name, config);
  return (
    <NumberTunable
      name={name.replace(/^srcutree\./, '')}
      target={target}
      value={typeof value === 'number' ? value : undefined}
      codec={integerCodec(param.min, param.max, UNIT_SHOWN[param.unit] ?? '')}
      scale={scaleOf(name)}
      defaultValue={defaultValue}
      isMissing={isMissing}
      meaning={isMissing ? `${config.kernel} does not have it: ${releasesOf(param)}` : param.help}
    />
  );
}

/** The srcutree.* parameters, each with the kernel's own name. */
export function ParamTunables() {
  return SRCU_PARAMS.map((param) => <ParamTunable key={param.name} param={param} />);
}

import { useShallow } from 'zustand/react/shallow';
import { describeParam, type ParamDescription } from '../../config/describeParam.ts';
import type { SimConfig } from '../../engine/index.ts';
import { buildOf, kernelHasParam, type ParamInfo } from '../../engine/profiles/kernelParams.ts';
import { SRCU_PARAMS } from '../../engine/srcu/params.ts';
import type { SliderScale } from '../../ui/sliderScale.ts';
import { useSetup } from '../session.ts';
import type { Setup } from '../setup.ts';
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

/** What the value comes to, the default where it is another, or which releases have the parameter. */
function meaningOf(
  value: number | string | undefined,
  description: ParamDescription,
  isMissing: boolean,
): string {
  const { defaultValue, releases } = description;
  const meaning = description.meaning.replace(/ us\b/g, ' µs');
  if (isMissing) return `${meaning}: ${releases}`;
  return value === defaultValue || defaultValue === undefined
    ? meaning
    : `${meaning} · default ${defaultValue}`;
}

/** All that is shown of a parameter; compared value by value, so that only those that change are drawn again. */
function paramView(param: ParamInfo, config: SimConfig) {
  const value = config.params[param.name];
  const description = describeParam(param.name, config);
  const defaultValue = description?.defaultValue;
  const { kernel, rules } = buildOf(config);
  const isMissing = !kernelHasParam(kernel, param, rules);
  return {
    value: typeof value === 'number' ? value : undefined,
    noValue: typeof value === 'string' ? value : undefined,
    defaultValue: typeof defaultValue === 'number' ? defaultValue : undefined,
    meaning: description && meaningOf(value, description, isMissing),
    isMissing,
  };
}

/** Worked out once per configuration and parameter: a store asks for it several times per change. */
const views = new WeakMap<SimConfig, Map<string, ReturnType<typeof paramView>>>();

function viewOf(param: ParamInfo, config: SimConfig): ReturnType<typeof paramView> {
  const known = views.get(config) ?? new Map<string, ReturnType<typeof paramView>>();
  views.set(config, known);
  const view = known.get(param.name) ?? paramView(param, config);
  known.set(param.name, view);
  return view;
}

function ParamTunable({ param }: { readonly param: ParamInfo }) {
  const { name } = param;
  const hz = useSetup(({ config }: Setup) => config.hz);
  const { noValue, ...view } = useSetup(useShallow(({ config }: Setup) => viewOf(param, config)));
  return (
    <NumberTunable
      name={name.replace(/^srcutree\./, '')}
      help={param.help}
      target={useTarget(['params', name])}
      codec={integerCodec(param.min, param.max === 'HZ' ? hz : param.max, UNIT_SHOWN[param.unit] ?? '')}
      scale={scaleOf(name)}
      {...(noValue === undefined ? {} : { noValue })}
      {...view}
    />
  );
}

/** The srcutree.* parameters, each with the kernel's own name. */
export function ParamTunables() {
  return SRCU_PARAMS.map((param) => <ParamTunable key={param.name} param={param} />);
}

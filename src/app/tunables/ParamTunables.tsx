import { useShallow } from 'zustand/react/shallow';
import { describeParam, type ParamDescription } from '../../config/describeParam.ts';
import { findParam, shownSchedQs } from '../../config/paramSet.ts';
import type { SimConfig } from '../../engine/index.ts';
import { buildOf, kernelHasParam, type ParamInfo } from '../../engine/profiles/kernelParams.ts';
import { SRCU_PARAMS } from '../../engine/srcu/params.ts';
import type { SliderScale } from '../../ui/sliderScale.ts';
import { useSetup } from '../session.ts';
import type { Setup } from '../setup.ts';
import { integerCodec } from './numberCodec.ts';
import { NumberTunable } from './Tunable.tsx';
import { useTarget } from './target.ts';
import { WordTunable } from './WordTunable.tsx';

/** Units that stand behind the number; the others are told in its meaning. */
const UNIT_SHOWN: Readonly<Record<string, string>> = { us: 'µs', ns: 'ns', ms: 'ms', s: 's' };
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
  'rcutree.jiffies_till_sched_qs': 10_000,
  'rcutree.blimit': 10_000,
  'rcutree.qhimark': 1_000_000,
  'rcutree.qlowmark': 10_000,
  'rcutree.qovld': 1_000_000,
  'rcutree.rcu_nocb_gp_stride': 4096,
  'rcutree.nocb_nobypass_lim_per_jiffy': 10_000,
  'rcutree.rcu_min_cached_objs': 1000,
  'rcupdate.rcu_task_stall_timeout': 10_000_000,
  'rcupdate.rcu_task_stall_info': 1_000_000,
  'rcupdate.rcu_task_ipi_delay': 10_000,
  'rcupdate.rcu_task_lazy_lim': 10_000,
  'rcupdate.rcu_tasks_lazy_ms': 100_000,
  'rcupdate.rcu_tasks_trace_lazy_ms': 100_000,
};
/** The value that is shown where it was not given and the kernel computes another one from others. */
const SCHED_QS = 'rcutree.jiffies_till_sched_qs';

function scaleOf({ name, min, max }: ParamInfo, hz: number): SliderScale {
  const most =
    max === 'HZ' ? hz : Math.min(max, SLIDER_MAX[name] ?? (max === Number.MAX_SAFE_INTEGER ? 1000 : max));
  return { kind: most < 100 ? 'linear' : 'log', min: Math.max(min, 0), max: most };
}

/** What the value comes to, and the default where it is another. */
function meaningOf(value: number | string | undefined, description: ParamDescription): string {
  const { defaultValue } = description;
  const meaning = description.meaning.replace(/ us\b/g, ' µs');
  return value === defaultValue || defaultValue === undefined
    ? meaning
    : `${meaning} · default ${defaultValue}`;
}

/** All that is shown of a parameter; compared value by value, so that only those that change are drawn again. */
function paramView(param: ParamInfo, config: SimConfig) {
  const value = config.params[param.name];
  const description = describeParam(param.name, config);
  const { 'rcutree.jiffies_till_sched_qs': _given, ...others } = config.params;
  const computed = param.name === SCHED_QS ? shownSchedQs(others, buildOf(config)) : undefined;
  const defaultValue = description?.defaultValue ?? computed;
  const { kernel, rules } = buildOf(config);
  const isMissing = !kernelHasParam(kernel, param, rules);
  return {
    value: typeof value === 'number' ? value : computed,
    noValue: typeof value === 'string' && computed === undefined ? value : undefined,
    defaultValue: typeof defaultValue === 'number' ? defaultValue : undefined,
    meaning: description && meaningOf(value, description),
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

interface ParamProps {
  readonly param: ParamInfo;
}
const labelOf = ({ name }: ParamInfo) => name.replace(/^(srcutree|rcutree|rcupdate)\./, '');

function NumberParam({ param }: ParamProps) {
  const hz = useSetup(({ config }: Setup) => config.hz);
  const { noValue, ...view } = useSetup(useShallow(({ config }: Setup) => viewOf(param, config)));
  const max = param.max === 'HZ' ? hz : param.max;
  return (
    <NumberTunable
      name={labelOf(param)}
      help={param.help}
      target={useTarget(['params', param.name])}
      codec={integerCodec(param.min, max, UNIT_SHOWN[param.unit] ?? '')}
      scale={scaleOf(param, hz)}
      {...(noValue === undefined ? {} : { noValue })}
      {...view}
    />
  );
}

/** A switch: as the kernel writes it, Y and N or 1 and 0. */
function SwitchParam({ param }: ParamProps) {
  const view = useSetup(useShallow(({ config }: Setup) => viewOf(param, config)));
  const target = useTarget(['params', param.name]);
  const words = param.type === 'bool' ? ['N', 'Y'] : ['0', '1'];
  const options = words.map((id, i) => ({
    id,
    label: id,
    ...(i === view.defaultValue ? { note: 'default' } : {}),
  }));
  return (
    <WordTunable
      name={labelOf(param)}
      help={param.help}
      target={target}
      value={view.value === undefined ? '–' : (words[view.value] ?? '')}
      options={options}
      meaning={view.meaning ?? ''}
      isMissing={view.isMissing}
      onChange={(id) => target.set(words.indexOf(id))}
    />
  );
}

/** These parameters, each with the kernel's own name. */
export function ParamTunables({ names }: { readonly names: readonly string[] }) {
  return names.map((name) => {
    const param = findParam(name);
    if (param === undefined) return null;
    const isSwitch = param.min === 0 && param.max === 1;
    return isSwitch ? <SwitchParam key={name} param={param} /> : <NumberParam key={name} param={param} />;
  });
}

/** Names of the srcutree.* parameters. */
export const SRCU_PARAM_NAMES: readonly string[] = SRCU_PARAMS.map(({ name }) => name);

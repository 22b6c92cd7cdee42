import { useShallow } from 'zustand/react/shallow';
import { type DrainDelay, kfreeLife } from '../../analysis/kfreeLife.ts';
import { resolveRules } from '../../engine/profiles/profiles.ts';
import { formatDuration } from '../../timeline/formatTime.ts';
import { useSetup } from '../session.ts';
import type { Setup } from '../setup.ts';
import { useIsShown } from './filter.ts';

const NAME = 'drain delay';

function jiffiesOf({ jiffies }: DrainDelay): string {
  return `${jiffies.toLocaleString('en-US')} ${jiffies === 1 ? 'jiffy' : 'jiffies'}`;
}

function span({ leastNs, mostNs }: DrainDelay): string {
  return `${formatDuration(leastNs)} to ${formatDuration(mostNs)} by the timer wheel`;
}

/** The delay of the monitor at this HZ by the rule of the kernel (kvfree K7), in words; undefined without batching. */
function drainWords({ config }: Setup) {
  const { kernel, rules, hz, machine } = config;
  const { drain, drainFull, records } = kfreeLife(resolveRules(kernel, rules), hz, machine.pageSize);
  if (drain === undefined) return { value: 'none', meaning: `${kernel} has no batches to drain` };
  const full =
    drainFull === undefined
      ? ''
      : ` · from ${records} objects on a CPU: ${jiffiesOf(drainFull)}, ${span(drainFull)}`;
  return {
    value: jiffiesOf(drain),
    meaning: `${span(drain)}${full} · no parameter: single rule kvfree.monitor`,
  };
}

/** When kfree_rcu_monitor() comes: no kernel has a parameter for it, so that it is only shown. */
export function DrainDelayLine() {
  const { value, meaning } = useSetup(useShallow(drainWords));
  const isShown = useIsShown(NAME);
  if (!isShown) return null;
  return (
    <div className="tunable" data-tunable={NAME}>
      <div className="tunable-head">
        <span className="tunable-name">{NAME}</span>
        <output className="ui-mono" aria-label={NAME}>
          {value}
        </output>
      </div>
      <p className="tunable-meaning">{meaning}</p>
    </div>
  );
}

/** What the scenario "Drain interval of kfree_rcu()" tells. */
import type { Expectation, ReportedFigure, ScenarioResult, Story } from '../scenario.ts';

const SOURCE = 'linux-kernel mailing list: rcu_invoke_kfree_bulk_callback events of a phone';
/** Mean fill of a block, percent. */
const REPORTED: Readonly<Record<string, number>> = { 'hz-50': 4, '5hz': 59.3 };

/** Records of a freed block over those that it can hold, percent, mean over blocks. */
function fillPercent({ kvfree }: ScenarioResult): number {
  if (kvfree === undefined) return Number.NaN;
  const counts = Array.from(kvfree.blocksByRecords);
  const blocks = counts.reduce((sum, count) => sum + count, 0);
  const objects = counts.reduce((sum, count, records) => sum + count * records, 0);
  return (100 * objects) / blocks / kvfree.records;
}

function reported(variant: string): ReportedFigure[] {
  const value = REPORTED[variant];
  if (value === undefined) return [];
  return [
    {
      what: 'fill of a block',
      unit: '%',
      value,
      source: SOURCE,
      fitted: variant === 'hz-50',
      ...(variant === '5hz'
        ? {
            remark:
              'a few seconds of a phone, whose bursts are not known; here all objects come evenly, so that half of the blocks are full and half are nearly empty',
          }
        : {}),
      measure: fillPercent,
    },
  ];
}

function expectations(variant: string): Expectation[] {
  const every20Ms = [
    {
      text: 'blocks are filled by less than 5 %',
      holds: (result: ScenarioResult) => fillPercent(result) < 5,
    },
    {
      text: 'a grace period every 10 ms, for nothing else',
      holds: ({ gracePeriods }: ScenarioResult) => (gracePeriods?.rcu?.n ?? 0) > 350,
    },
  ];
  const every5S = [
    { text: 'blocks are half full or more', holds: (result: ScenarioResult) => fillPercent(result) > 45 },
    {
      text: 'at most a tenth of the grace periods of the old interval',
      holds: ({ gracePeriods }: ScenarioResult) => (gracePeriods?.rcu?.n ?? Number.NaN) < 40,
    },
  ];
  return variant === 'hz-50' ? every20Ms : every5S;
}

/** What waiting for a full block saves. */
export const drainIntervalStory: Story = {
  shows: 'what it saves that the monitor waits until a block is full, or five seconds',
  lookAt: [
    'Three CPUs free an object every millisecond. With 5.18 each of them is drained every 20 to 24 ms: some 20 objects in a block for 510, a batch and a grace period for them. With 6.1 the monitor comes 1 jiffy after a block is full, every half second: a full block and the few objects that came meanwhile.',
    'CPU 3 frees an object every 16 ms and never fills a block: with 6.1 its monitor comes after 5 s, with 330 objects in hand. In 6.12 blocks know their grace period: what has waited for one already is freed by the monitor, without a batch.',
  ],
  fitted: [
    'One object a millisecond is fitted to the fill of 4 % that was reported for the old interval; the fill of the new one is predicted. The reported blocks came from a phone whose loads are not known.',
  ],
  reported,
  expectations,
};

/** How full the blocks of a run were when they were freed. */
import type { KvfreeFigures } from '../../analysis/kvfreeFigures.ts';
import { formatCount, formatShare, plural } from '../format.ts';
import type { Bar } from '../latency/model.ts';

/** Bins besides the one of full blocks. */
const BINS = 12;

export interface RecordsView {
  readonly bars: readonly Bar[];
  /** Of a full block; the last bar begins there. */
  readonly records: number;
  readonly figures: readonly { readonly name: string; readonly text: string }[];
  readonly label: string;
}

function barOf(lo: number, hi: number, count: number, records: number): Bar {
  const range = lo === records ? `${records}, full` : lo === hi - 1 ? String(lo) : `${lo} to ${hi - 1}`;
  return { loNs: lo, hiNs: hi, count, slept: 0, text: `${range}: ${plural(count, 'block')}` };
}

/** Equal bins from one record on, and one of full blocks; undefined: no block was freed. */
export function recordsView({ blocksByRecords, records }: KvfreeFigures): RecordsView | undefined {
  const blocks = blocksByRecords.reduce((sum, count) => sum + count, 0);
  if (blocks === 0) return undefined;
  const width = Math.max(1, Math.ceil((records - 1) / BINS));
  const bars: Bar[] = [];
  for (let lo = 1; lo < records; lo += width) {
    const hi = Math.min(records, lo + width);
    bars.push(
      barOf(
        lo,
        hi,
        blocksByRecords.subarray(lo, hi).reduce((sum, count) => sum + count, 0),
        records,
      ),
    );
  }
  const full = blocksByRecords[records] ?? 0;
  bars.push(barOf(records, records + width, full, records));
  const objects = blocksByRecords.reduce((sum, count, held) => sum + count * held, 0);
  const figures = [
    { name: 'blocks', text: formatCount(blocks) },
    { name: 'full', text: formatShare(full / blocks) },
    { name: 'mean', text: (objects / blocks).toFixed(1) },
    { name: 'of', text: formatCount(records) },
  ];
  return {
    bars,
    records,
    figures,
    label: `Blocks freed by the records in them: ${figures.map(({ name, text }) => `${name} ${text}`).join(', ')}`,
  };
}

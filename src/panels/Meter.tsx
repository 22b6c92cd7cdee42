import { formatCount } from './format.ts';

/** A count against its limit. */
export interface MeterView {
  readonly name: string;
  readonly value: number;
  /** Infinity where this kernel has none. */
  readonly limit: number;
  /** What reaching the limit does, or why there is none. */
  readonly note: string;
}

/** True once one more would be too many: the kernel sleeps when the count exceeds the limit. */
function isSpent({ value, limit }: MeterView): boolean {
  return value >= limit;
}

/** Name, "142 / 200" and a bar; without a limit it says so and draws none. */
export function Meter({ meter }: { readonly meter: MeterView }) {
  const { name, value, limit, note } = meter;
  const hasLimit = Number.isFinite(limit);
  const share = hasLimit && limit > 0 ? Math.min(1, value / limit) : isSpent(meter) ? 1 : 0;
  const text = hasLimit ? `${formatCount(value)} / ${formatCount(limit)}` : `${formatCount(value)}, no limit`;
  return (
    <div className="meter">
      <div className="meter-head">
        <code>{name}</code>
        <span className="mono">
          {isSpent(meter) ? <span className="meter-spent">at its limit </span> : null}
          {text}
        </span>
      </div>
      {hasLimit ? (
        <div className="meter-track" aria-hidden="true">
          <div className="meter-fill" style={{ inlineSize: `${share * 100}%` }} />
        </div>
      ) : null}
      <div className="meter-note">{note}</div>
    </div>
  );
}

import { plural } from '../format.ts';
import {
  type CpuCell,
  LANE_CELLS,
  type LaneView,
  type MemoryPart,
  type OverviewView,
  SIGN_TEXTS,
} from './overview.ts';
import { Roving } from './Roving.tsx';

interface OverviewProps {
  readonly view: OverviewView;
  readonly onCpu: (cpu: number) => void;
}

/** All CPUs as small multiples, and where the memory is. */
export function Overview({ view, onCpu }: OverviewProps) {
  return (
    <>
      <p className="kfb-summary">{view.summary}</p>
      <Memory parts={view.memory} total={view.memoryText} />
      {view.withoutWaiting !== undefined && (
        <p className="kfb-note tone-gp">
          <span className="tone-text">{view.withoutWaiting}</span>
        </p>
      )}
      {view.cells.length > 0 && (
        <>
          <Roving label="CPUs" className="kfb-grid">
            {view.cells.map((cell) => (
              <Cpu key={cell.cpu} cell={cell} onCpu={onCpu} />
            ))}
          </Roving>
          {view.moreCpus > 0 && <p className="muted kfb-note">and {plural(view.moreCpus, 'more CPU')}</p>}
          <p className="muted kfb-note">
            <code>+</code> queueing, <code>0</code> and <code>1</code> <code>krw_arr</code>; one of{' '}
            {LANE_CELLS} cells is {view.scaleText}. Top right: jiffies until the monitor.
          </p>
          <ul className="kfb-legend muted">
            {SIGN_TEXTS.map(([sign, text]) => (
              <li key={sign}>
                <code className="kfb-sign">{sign}</code> {text}
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

/** At the left of each row. */
const LANE_NAMES: Readonly<Record<LaneView['id'], string>> = { queue: '+', krw0: '0', krw1: '1' };

function Cpu({ cell, onCpu }: { readonly cell: CpuCell; readonly onCpu: (cpu: number) => void }) {
  return (
    <button
      type="button"
      className="kfb-cpu"
      data-cpu={cell.cpu}
      aria-label={cell.text}
      title={cell.text}
      onClick={() => onCpu(cell.cpu)}
    >
      <span className="kfb-cpu-head">
        <b>{cell.cpu}</b>
        <span className="muted">{cell.monitor}</span>
      </span>
      {cell.lanes.map(({ id, fill, sign }) => (
        <span key={id} className="kfb-lane">
          <span className="kfb-lane-name muted">{LANE_NAMES[id]}</span>
          <span className={`kfb-cells kfb-${id === 'queue' ? 'open' : sign || 'none'}`}>
            <span className="kfb-filled" style={{ clipPath: `inset(0 ${(1 - fill) * 100}% 0 0)` }} />
          </span>
          <span className="kfb-sign">{sign}</span>
        </span>
      ))}
    </button>
  );
}

/** What the memory in use consists of: a bar, and the same in words. */
function Memory({ parts, total }: { readonly parts: readonly MemoryPart[]; readonly total: string }) {
  return (
    <div className="kfb-memory">
      <div className="kfb-bar" aria-hidden="true">
        {parts.map(({ id, bytes }) => (
          <span key={id} className={`kfb-part kfb-part-${id}`} style={{ flexGrow: bytes }} />
        ))}
      </div>
      <ul className="kfb-legend">
        <li>
          <b>{total}</b> in use
        </li>
        {parts.map(({ id, name, text }) => (
          <li key={id}>
            <span className={`kfb-key kfb-part-${id}`} aria-hidden="true" /> {name}{' '}
            <span className="mono">{text}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

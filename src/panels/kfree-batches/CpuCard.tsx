import { Facts } from '../Facts.tsx';
import type { PanelActions } from '../panelProps.ts';
import type { CpuView, KrwView, UnitCell, UnitLane } from './cpuView.ts';
import { Roving } from './Roving.tsx';

interface CpuCardProps {
  readonly view: CpuView;
  /** Unit that the why panel explains; -1: none. */
  readonly explained: number;
  readonly onUnit: (id: number) => void;
  readonly onSeek: PanelActions['seekRow'];
}

/** Channels, batches, monitor and page cache of a CPU. */
export function CpuCard({ view, explained, onUnit, onSeek }: CpuCardProps) {
  const lane = (shown: UnitLane) => (
    <Lane key={shown.key} lane={shown} explained={explained} onUnit={onUnit} />
  );
  return (
    <div className="kfb-card">
      <section className="kfb-part-of" aria-label="Queueing">
        <div className="kfb-head">
          <b>queueing</b>
          <span className="muted">{view.queueCount}</span>
        </div>
        {view.queue.map(lane)}
        <Facts facts={view.now} />
      </section>
      {view.batches.map((batch) => (
        <Batch key={batch.key} batch={batch} onSeek={onSeek}>
          {batch.lanes.map(lane)}
        </Batch>
      ))}
      <Facts facts={view.sofar} />
    </div>
  );
}

interface BatchProps {
  readonly batch: KrwView;
  readonly onSeek: PanelActions['seekRow'];
  readonly children: React.ReactNode;
}

function Batch({ batch, onSeek, children }: BatchProps) {
  return (
    <section className={`kfb-part-of kfb-batch tone-${batch.tone}`} aria-label={batch.title}>
      <div className="kfb-head">
        <code>{batch.title}</code>
        <span className="muted">{batch.count}</span>
      </div>
      {batch.sentences.map(({ key, text, row }) => (
        <button key={key} type="button" className="line-button kfb-sentence" onClick={() => onSeek(row)}>
          <span className="tone-text">{text}</span>
        </button>
      ))}
      {children}
    </section>
  );
}

interface LaneProps {
  readonly lane: UnitLane;
  readonly explained: number;
  readonly onUnit: (id: number) => void;
}

function Lane({ lane, explained, onUnit }: LaneProps) {
  return (
    <div className="kfb-units">
      <div className="kfb-head">
        <span>{lane.title}</span>
        <span className="muted">{lane.count}</span>
      </div>
      <Roving label={`${lane.title}, newest first`} className="kfb-row">
        {lane.cells.map((cell) => (
          <Unit key={cell.id} cell={cell} isExplained={cell.id === explained} onUnit={onUnit} />
        ))}
        {lane.older > 0 && <span className="muted kfb-older">+{lane.older}</span>}
      </Roving>
    </div>
  );
}

interface UnitProps {
  readonly cell: UnitCell;
  readonly isExplained: boolean;
  readonly onUnit: (id: number) => void;
}

function Unit({ cell, isExplained, onUnit }: UnitProps) {
  return (
    <button
      type="button"
      className={`kfb-unit kfb-unit-${cell.look}${cell.isOpen ? ' is-open' : ''}`}
      aria-label={cell.text}
      aria-pressed={isExplained}
      title={`${cell.text}. Why is it still there?`}
      onClick={() => onUnit(cell.id)}
    >
      <span className="kfb-unit-fill" style={{ blockSize: `${cell.fill * 100}%` }} />
    </button>
  );
}

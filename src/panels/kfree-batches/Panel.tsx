import '../latency/latency.css';
import './kfree-batches.css';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { KvfreeStateAt } from '../../analysis/kvfreeStateTypes.ts';
import type { RunInfo } from '../../engine/core/info.ts';
import { Button, ToggleButton } from '../../ui/Button.tsx';
import { PanelEmpty, PanelFrame } from '../PanelFrame.tsx';
import type { PanelActions, PanelProps } from '../panelProps.ts';
import { CpuCard } from './CpuCard.tsx';
import { cpuView } from './cpuView.ts';
import { LifeLine } from './LifeLine.tsx';
import { lifeView, ownLife } from './lifeLine.ts';
import { KFREE_NOTES } from './notes.ts';
import { Overview } from './Overview.tsx';
import { overviewView } from './overview.ts';
import { Records } from './Records.tsx';
import { recordsView } from './records.ts';

const VIEWS = [
  ['cpus', 'CPUs'],
  ['records', 'records'],
  ['life', 'life line'],
] as const;

/** What waits to be freed: queueing side and batches per CPU, how full blocks were, what debug objects see. */
export function KfreeBatchesPanel({ data, actions, tools }: PanelProps) {
  const [shown, setShown] = useState<(typeof VIEWS)[number][0]>('cpus');
  const state = data.state?.kvfree;
  const { run } = data;
  return (
    <PanelFrame
      title="kfree batches"
      subtitle="what waits to be freed"
      look="card"
      notes={KFREE_NOTES}
      tools={tools}
    >
      <div className="kfb-views">
        {VIEWS.map(([id, name]) => (
          <ToggleButton
            key={id}
            className="panel-small"
            isSelected={shown === id}
            onChange={() => setShown(id)}
          >
            {name}
          </ToggleButton>
        ))}
      </div>
      {state === undefined || run === undefined ? (
        <PanelEmpty>No state yet: the run has not reached the cursor.</PanelEmpty>
      ) : shown === 'cpus' ? (
        <Cpus
          state={state}
          info={run.info}
          explained={data.why?.of === 'unit' ? data.why.index : -1}
          actions={actions}
        />
      ) : run.kvfree === undefined ? (
        <PanelEmpty>Nothing was given to kvfree_rcu() in this run.</PanelEmpty>
      ) : shown === 'records' ? (
        <Records view={recordsView(run.kvfree)} />
      ) : (
        <LifeLine
          view={lifeView(state, run.kvfree, run.info)}
          own={data.why?.life === undefined ? undefined : ownLife(data.why.life)}
          run={run}
          isLocked={data.isLocked}
          onChange={actions.change}
          onSeek={actions.seekRow}
        />
      )}
      {run?.kvfree?.line !== undefined && <ResultLine line={run.kvfree.line} floods={run.kvfree.floods} />}
    </PanelFrame>
  );
}

/** What the kernel prints when a flood is over (kvfree K20); of several floods the one that ended last. */
function ResultLine({ line, floods }: { readonly line: string; readonly floods: number }) {
  return (
    <p className="kfb-line">
      <span className="muted">rcuscale prints{floods > 1 ? ' of the last flood' : ''}: </span>
      <samp>{line}</samp>
    </p>
  );
}

interface CpusProps {
  readonly state: KvfreeStateAt;
  readonly info: RunInfo;
  readonly explained: number;
  readonly actions: PanelActions;
}

/** All CPUs, or one of them in full. */
function Cpus({ state, info, explained, actions }: CpusProps) {
  const [chosen, setChosen] = useState<number>();
  const root = useRef<HTMLDivElement>(null);
  const left = useRef<number>(undefined);
  const only = state.krcs.length === 1 ? state.krcs[0]?.cpu : undefined;
  const cpu = chosen ?? only;
  const view = cpu === undefined ? undefined : cpuView(state, info, cpu);
  // Focus follows: into the card, and back to the CPU that it was of.
  useEffect(() => {
    if (chosen !== undefined) root.current?.querySelector<HTMLElement>('.kfb-back')?.focus();
    else if (left.current !== undefined)
      root.current?.querySelector<HTMLElement>(`[data-cpu="${left.current}"]`)?.focus();
    left.current = chosen;
  }, [chosen]);
  if (view === undefined) {
    return (
      <div ref={root}>
        <Overview view={overviewView(state)} onCpu={setChosen} />
      </div>
    );
  }
  const at = state.krcs.findIndex((krc) => krc.cpu === cpu);
  const goTo = (to: number | undefined) => () => setChosen(to);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || only !== undefined) return;
    event.preventDefault();
    setChosen(undefined);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape does what the button inside does
    <div ref={root} onKeyDown={onKeyDown}>
      <div className="kfb-nav">
        <b>{view.title}</b>
        {only === undefined && (
          <>
            <Button className="panel-small kfb-back" onPress={goTo(undefined)}>
              all CPUs
            </Button>
            <Button
              className="panel-small"
              aria-label="Previous CPU"
              isDisabled={at <= 0}
              onPress={goTo(state.krcs[at - 1]?.cpu)}
            >
              ◀
            </Button>
            <Button
              className="panel-small"
              aria-label="Next CPU"
              isDisabled={at >= state.krcs.length - 1}
              onPress={goTo(state.krcs[at + 1]?.cpu)}
            >
              ▶
            </Button>
          </>
        )}
      </div>
      <CpuCard
        view={view}
        explained={explained}
        onUnit={(unit) => actions.explain('unit', unit)}
        onSeek={actions.seekRow}
      />
    </div>
  );
}

import './why.css';
import { memo } from 'react';
import type { Blame } from '../../analysis/blameTypes.ts';
import { Button } from '../../ui/Button.tsx';
import { useStable } from '../../ui/useStable.ts';
import { Disclosure } from '../Disclosure.tsx';
import { keepCase } from '../keepCase.tsx';
import { PanelEmpty, PanelFrame } from '../PanelFrame.tsx';
import type { PanelActions, PanelProps, RunFigures } from '../panelProps.ts';
import { useNotes } from '../useNotes.ts';
import { type SlowItem, slowItems, type WhySegment, type WhyView, whyView } from './model.ts';
import { WHY_NOTES } from './notes.ts';

const NAMES: Readonly<Record<Blame['of'], string>> = {
  gp: 'grace period',
  call: 'call',
  unit: 'block or run',
};

/** How many of them the run has. */
function countOf({ gps, calls, units }: RunFigures, of: Blame['of']): number {
  return { gp: gps, call: calls, unit: units }[of];
}

/** Where the time of the selected grace period or call went, and what would have saved it. */
export function WhyPanel({ data, actions, tools }: PanelProps) {
  const { why, run } = data;
  const notes = useNotes(WHY_NOTES, run?.info);
  const view = why === undefined ? undefined : whyView(why);
  const slow = slowItems(data.slowest, why, run?.info);
  const go = useStable((to: -1 | 1 | 'slowest') => {
    if (to !== 'slowest') why !== undefined && actions.explain(why.of, why.index + to);
    else if (slow[0] !== undefined) actions.explain('gp', slow[0].index);
  });
  return (
    <PanelFrame
      title={view === undefined ? 'Why did it take so long?' : keepCase(view.title)}
      look="side"
      notes={notes}
      tools={tools}
    >
      {view === undefined ? (
        <PanelEmpty>
          {run === undefined
            ? 'Nothing has run yet.'
            : run.gps === 0
              ? 'No grace period has started in this run.'
              : 'Choose a grace period or a call on the timeline, or the slowest one below.'}
        </PanelEmpty>
      ) : (
        <Explanation view={view} onSeek={actions.seekRow} />
      )}
      {run === undefined || run.gps === 0 ? null : (
        <WhyButtons
          what={NAMES[why?.of ?? 'gp']}
          hasPrevious={why !== undefined && why.index > 0}
          hasNext={why !== undefined && why.index < countOf(run, why.of) - 1}
          hasSlowest={slow[0] !== undefined && !slow[0].isShown}
          onGo={go}
        />
      )}
      {slow.length === 0 ? null : (
        <SlowList items={slow} onExplain={(index) => actions.explain('gp', index)} />
      )}
    </PanelFrame>
  );
}

interface WhyButtonsProps {
  /** What is explained. */
  readonly what: string;
  readonly hasPrevious: boolean;
  readonly hasNext: boolean;
  readonly hasSlowest: boolean;
  readonly onGo: (to: -1 | 1 | 'slowest') => void;
}

/** To the neighbours and to the slowest one. Most runs leave these as they were. */
const WhyButtons = memo(function WhyButtons(props: WhyButtonsProps) {
  const { what, onGo } = props;
  return (
    <div className="why-buttons">
      <Button
        className="panel-small"
        aria-label={`Explain the previous ${what}`}
        isDisabled={!props.hasPrevious}
        onPress={() => onGo(-1)}
      >
        ◀ previous
      </Button>
      <Button
        className="panel-small"
        aria-label={`Explain the next ${what}`}
        isDisabled={!props.hasNext}
        onPress={() => onGo(1)}
      >
        next ▶
      </Button>
      <Button className="panel-small" isDisabled={!props.hasSlowest} onPress={() => onGo('slowest')}>
        slowest
      </Button>
    </div>
  );
});

function SegmentLine({
  segment,
  onSeek,
}: {
  readonly segment: WhySegment;
  readonly onSeek: PanelActions['seekRow'];
}) {
  return (
    <li>
      <button
        type="button"
        className="line-button"
        title={`${segment.kind}: ${segment.shareText}. Jump there`}
        onClick={() => onSeek(segment.row)}
      >
        <span className={`swatch tone-${segment.tone}`} aria-hidden="true" />
        <span>{segment.text}</span>
        <span className={segment.isWaste ? 'line-value why-waste' : 'line-value'}>
          {segment.ms}
          <span className="ui-visually-hidden"> ms, {segment.shareText}, jump there</span>
        </span>
      </button>
    </li>
  );
}

function Explanation({ view, onSeek }: { readonly view: WhyView; readonly onSeek: PanelActions['seekRow'] }) {
  return (
    <>
      <div className="why-bar" aria-hidden="true">
        {view.segments.map(({ key, tone, share, kind, shareText }) => (
          <span
            key={key}
            className={`why-part swatch tone-${tone}`}
            style={{ flexGrow: share }}
            title={`${kind}, ${shareText}`}
          />
        ))}
      </div>
      <p className="why-head muted">
        <span>
          {view.wasteText ?? 'nothing wasted'}
          {view.isFinished ? '' : ', unfinished: the run ended first'}
        </span>
        <span className="line-value">ms</span>
      </p>
      <ol className="why-list">
        {view.segments.map((segment) => (
          <SegmentLine key={segment.key} segment={segment} onSeek={onSeek} />
        ))}
      </ol>
      {view.remedies.map(({ key, text, bootArgument }) => (
        <p className="why-remedy" key={key}>
          {text}
          {bootArgument === undefined ? null : <code>{bootArgument}</code>}
        </p>
      ))}
    </>
  );
}

function SlowList({
  items,
  onExplain,
}: {
  readonly items: readonly SlowItem[];
  readonly onExplain: (index: number) => void;
}) {
  return (
    <Disclosure className="slow" summary="Slowest grace periods">
      {() => (
        <ol className="slow-list">
          {items.map((item) => (
            <li key={item.index}>
              <button
                type="button"
                className="line-button slow-item"
                aria-current={item.isShown}
                style={{ backgroundSize: `${item.share * 100}% 2px` }}
                onClick={() => onExplain(item.index)}
              >
                <code>{item.name}</code>
                <span className="muted">{item.text}</span>
                <span className="line-value">{item.lengthText}</span>
              </button>
            </li>
          ))}
        </ol>
      )}
    </Disclosure>
  );
}

import { describe, expect, it, vi } from 'vitest';
import type { LaneView } from '../analysis/laneTypes.ts';
import { TIMELINE_ACTIONS } from './actions.ts';
import { laneInfo, spanLane } from './laneView.testkit.ts';
import { selectionOfItem } from './overlayGeometry.ts';
import { TEST_INFO } from './runInfo.testkit.ts';
import { type CommandContext, timelineCommands } from './timelineCommands.ts';
import type { TimelineProps } from './timelineProps.ts';
import { limitsOf, spanNs } from './viewport.ts';

const lanes = [laneInfo('cpu', 0), laneInfo('cpu', 1), laneInfo('gp', 3)];
const gpLane = spanLane(
  laneInfo('gp', 3),
  [
    ['gpScan1', 100, 200, 1],
    ['gpScan2', 200, 400, 1],
    ['gpScan2', 600, 900, 2],
  ],
  [],
  [0, 1_000],
);

function setUp(more: Partial<TimelineProps> = {}, views: readonly LaneView[] = [gpLane]) {
  const calls = {
    onViewport: vi.fn(),
    onCursor: vi.fn(),
    onSelect: vi.fn(),
    onSelectRow: vi.fn(),
    onRange: vi.fn(),
    onNeedView: vi.fn(),
    onNeedRows: vi.fn(),
    onStepBeyond: vi.fn(),
  };
  const change = vi.fn();
  const context: CommandContext = {
    props: {
      info: TEST_INFO,
      endNs: 10_000,
      lanes,
      view: views,
      overview: [],
      rows: undefined,
      viewport: { fromNs: 0, toNs: 1_000 },
      cursorNs: 500,
      selection: undefined,
      range: undefined,
      rangeStats: undefined,
      ...calls,
      ...more,
    },
    limits: limitsOf(10_000),
    state: { trackId: undefined, isChain: false, isTable: false, openGroups: new Set(), announcement: '' },
    change,
    views: new Map(views.map((view) => [view.id, view])),
    shownLanes: lanes,
  };
  return { ...calls, change, commands: timelineCommands(context), context };
}

describe('timeline actions', () => {
  it('zoom about the cursor while it is visible, else about the middle', () => {
    const seen = setUp({ cursorNs: 250 });
    seen.commands.perform('zoomIn');
    const near = seen.onViewport.mock.calls[0]?.[0];
    expect((250 - near.fromNs) / spanNs(near)).toBeCloseTo(0.25, 9);
    const hidden = setUp({ cursorNs: 5_000 });
    hidden.commands.perform('zoomOut');
    const wide = hidden.onViewport.mock.calls[0]?.[0];
    expect(spanNs(wide)).toBeGreaterThan(1_000);
  });

  it('step from the cursor to the next grace period and back, and on from the selection', () => {
    const at = setUp();
    at.commands.perform('nextOnTrack');
    expect(at.onSelect.mock.calls[0]?.[0]).toMatchObject({ gp: { number: 2 }, startNs: 600 });
    at.commands.perform('previousOnTrack');
    expect(at.onSelect.mock.calls[1]?.[0]).toMatchObject({ gp: { number: 1 }, startNs: 100 });
    const first = at.onSelect.mock.calls[1]?.[0];
    const selected = setUp({ selection: selectionOfItem(first, lanes) });
    selected.commands.perform('nextOnTrack');
    expect(selected.onSelect.mock.calls[0]?.[0]).toMatchObject({ gp: { number: 2 } });
    expect(selected.change).toHaveBeenCalledWith(
      expect.objectContaining({ announcement: expect.stringContaining('Grace period 2') }),
    );
  });

  it('ask the log beyond the loaded window', () => {
    const end = setUp({ cursorNs: 950 });
    end.commands.perform('nextOnTrack');
    expect(end.onSelect).not.toHaveBeenCalled();
    expect(end.onStepBeyond).toHaveBeenCalledWith(1, 3, 950);
    const far = setUp({ cursorNs: 9_000 });
    far.commands.perform('previousOnTrack');
    expect(far.onStepBeyond).toHaveBeenCalledWith(-1, 3, 9_000);
  });

  it('mark the selection, or what is visible of the run', () => {
    const visible = setUp({ viewport: { fromNs: -50.5, toNs: 800.2 } });
    visible.commands.perform('markRange');
    expect(visible.onRange).toHaveBeenCalledWith({ fromNs: 0, toNs: 801 });
    const selected = setUp({ selection: { row: 1, startNs: 100, endNs: 400, laneIds: [] } });
    selected.commands.perform('markRange');
    expect(selected.onRange).toHaveBeenCalledWith({ fromNs: 100, toNs: 401 });
  });

  it('fit the selection, else the range', () => {
    const at = setUp({ range: { fromNs: 2_000, toNs: 3_000 } });
    at.commands.perform('fitSelection');
    const viewport = at.onViewport.mock.calls[0]?.[0];
    expect(viewport.fromNs).toBeLessThan(2_000);
    expect(viewport.toNs).toBeGreaterThan(3_000);
    expect(spanNs(viewport)).toBeLessThan(1_400);
  });

  it('clear selection and range', () => {
    const at = setUp({ range: { fromNs: 0, toNs: 10 } });
    at.commands.perform('clear');
    expect(at.onSelect).toHaveBeenCalledWith(undefined);
    expect(at.onRange).toHaveBeenCalledWith(undefined);
  });

  it('walk over the tracks and stop at the ends', () => {
    const at = setUp();
    at.commands.perform('trackDown');
    expect(at.change).toHaveBeenLastCalledWith({ trackId: 'gp:3', announcement: 'gp 3' });
    at.commands.perform('trackUp');
    expect(at.change).toHaveBeenLastCalledWith({ trackId: 'cpu:1', announcement: 'cpu 1' });
  });

  it('are disabled exactly where they would do nothing', () => {
    const disabled = (more: Partial<TimelineProps>) => {
      const { commands } = setUp(more);
      return TIMELINE_ACTIONS.map(({ id }) => id).filter((id) => !commands.isEnabled(id));
    };
    expect(disabled({})).toEqual(['fitSelection', 'toggleChain', 'clear']);
    expect(disabled({ range: { fromNs: 0, toNs: 10 } })).toEqual(['toggleChain']);
    expect(disabled({ selection: { row: 4, startNs: 0, endNs: 1, laneIds: [] } })).toEqual([]);
  });
});

/** How many sub-rows each lane has. It only ever grows for a set of lanes, so that bars keep their height while panning. */
import type { LaneInfo, LaneView } from '../analysis/laneTypes.ts';

export class LaneDepths {
  #lanes = '';
  #depths = new Map<string, number>();

  /** The sub-rows of every lane, `view` taken into account; a new map exactly when something changed. */
  update(lanes: readonly LaneInfo[], view: readonly LaneView[]): ReadonlyMap<string, number> {
    const ids = lanes.map((lane) => lane.id).join(' ');
    if (ids !== this.#lanes) {
      this.#lanes = ids;
      this.#depths = new Map();
    }
    let next: Map<string, number> | undefined;
    for (const lane of view) {
      if (lane.mode !== 'spans') continue;
      let deepest = 0;
      for (let i = 0; i < lane.spans.length; i++) deepest = Math.max(deepest, lane.spans.depth[i] ?? 0);
      if (deepest + 1 > (this.#depths.get(lane.id) ?? 1)) {
        next ??= new Map(this.#depths);
        next.set(lane.id, deepest + 1);
      }
    }
    if (next) this.#depths = next;
    return this.#depths;
  }
}

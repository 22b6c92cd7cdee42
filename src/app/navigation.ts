/** Moves of the cursor. All of them but `playTo` stop playing. */
export interface Navigation {
  /** By one event, or inside a burst that is drawn poll by poll, by one poll. */
  readonly step: (direction: 1 | -1) => void;
  /** To the next or previous row of one track. */
  readonly stepOnTrack: (direction: 1 | -1, track: number) => void;
  /** To the start of the next grace period, or of the previous one. */
  readonly stepGp: (direction: 1 | -1) => void;
  readonly toStart: () => void;
  readonly toEnd: () => void;
  readonly seekTime: (timeNs: number) => void;
  readonly seekRow: (row: number) => void;
  /** What playing does: to a time, going on. */
  readonly playTo: (timeNs: number) => void;
}

import { createStore } from 'zustand/vanilla';

/** Something the page has to say, in a strip that can be closed. */
export interface Notice {
  /** Notices of one source replace one another. */
  readonly source: 'link' | 'commandLine' | 'digest' | 'config' | 'run' | 'panel';
  readonly tone: 'good' | 'info' | 'warning' | 'error';
  readonly text: string;
  /** One line per fault. */
  readonly details: readonly string[];
}

/** How far a run is: simulated so far, then the share of its rows, 0..1, that has been read. */
export interface Progress {
  readonly rows: number;
  readonly nowNs: number;
  readonly read?: number | undefined;
}

/** The newest run, and what is known about it. `Summary` is what the worker says of a finished run. */
export interface RunState<Summary> {
  readonly status: 'idle' | 'running' | 'done' | 'failed' | 'cancelled';
  /** The last finished run: it stays while the next one is under way. */
  readonly summary: Summary | undefined;
  /** Counts finished runs, so that readers see a new one even if it equals the last. */
  readonly generation: number;
  /** Of the run under way, once it takes long enough to tell. */
  readonly progress: Progress | undefined;
  /** Why the newest run failed. */
  readonly error: string | undefined;
  /** Digest of the last finished run; undefined until it has been asked for. */
  readonly digest: string | undefined;
  readonly notices: readonly Notice[];
}

/** State of the run: never part of a link. */
export function createRunStore<Summary>() {
  const store = createStore<RunState<Summary>>(() => ({
    status: 'idle',
    summary: undefined,
    generation: 0,
    progress: undefined,
    error: undefined,
    digest: undefined,
    notices: [],
  }));
  const { setState: set, getState: get } = store;
  return {
    ...store,
    /** The configuration has changed: the digest is not that of it any more. */
    outdated: () => set({ status: 'running', error: undefined, digest: undefined }),
    started: () => set({ status: 'running', progress: undefined, error: undefined, digest: undefined }),
    progressed: (rows: number, nowNs: number, read?: number) => set({ progress: { rows, nowNs, read } }),
    finished: (summary: Summary) =>
      set({
        status: 'done',
        summary,
        generation: get().generation + 1,
        progress: undefined,
        error: undefined,
        digest: undefined,
      }),
    /** The last picture stays. */
    failed: (error: string) => set({ status: 'failed', error, progress: undefined }),
    /** Somebody stopped it: the last picture stays. */
    cancelled: () => set({ status: 'cancelled', progress: undefined }),
    digested: (digest: string) => set({ digest }),
    /** Shows a notice in place of the one of the same source. */
    notify: (notice: Notice) =>
      set({ notices: [...get().notices.filter(({ source }) => source !== notice.source), notice] }),
    dismiss: (source: Notice['source']) =>
      set({ notices: get().notices.filter((notice) => notice.source !== source) }),
  };
}

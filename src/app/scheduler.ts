/** Work that is done once in the next animation frame, however often it is asked for until then. */
export interface FrameWork {
  (): void;
  /** Does it at once, and not again in the next frame. */
  readonly now: () => void;
}

/** Calls `work` once in the next animation frame, however often it is asked for until then. */
export function oncePerFrame(work: () => void): FrameWork {
  let isAsked = false;
  const now = () => {
    isAsked = false;
    work();
  };
  const ask = () => {
    if (isAsked) return;
    isAsked = true;
    requestAnimationFrame(() => {
      if (isAsked) now();
    });
  };
  return Object.assign(ask, { now });
}

/** Calls `work` once when the present task is over, however often it is asked for until then. */
export function oncePerTask(work: () => void): () => void {
  let isAsked = false;
  return () => {
    if (isAsked) return;
    isAsked = true;
    queueMicrotask(() => {
      isAsked = false;
      work();
    });
  };
}

/** Calls `work` once things have been quiet for `quietMs`. */
export function onceQuiet(work: () => void, quietMs: number): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(work, quietMs);
  };
}

/**
 * The newest of a series of asynchronous questions: answers to older ones are dropped. A fault of the newest goes to
 * `onFault`.
 */
export function newestOnly<T>(onAnswer: (answer: T) => void, onFault: (message: string) => void) {
  let newest = 0;
  return (question: Promise<T>) => {
    const number = ++newest;
    question.then(
      (answer) => {
        if (number === newest) onAnswer(answer);
      },
      (error: unknown) => {
        if (number === newest) onFault(error instanceof Error ? error.message : String(error));
      },
    );
  };
}

/** What commands read from and write to: the process, or a test. */
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';

/** The outside world of a command. */
export interface Io {
  /** Text to stdout. */
  out(text: string): void;
  /** Text to stderr. */
  err(text: string): void;
  /** A file, or stdin for "-". Throws as node:fs does. */
  read(path: string): string;
  /** Opens a file for writing; `write` appends, `close` ends it. Throws as node:fs does. */
  create(path: string): { write(text: string): void; close(): void };
}

/** Writes all of `text`; stdout may be a pipe that takes a part only, or says EAGAIN. */
function writeAll(fd: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let done = 0; done < bytes.length; ) {
    try {
      done += writeSync(fd, bytes, done);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // The reader has gone (head): nobody wants the rest.
      if (code === 'EPIPE') return;
      if (code !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
}

/** The process's own streams, written synchronously: nothing is lost when it exits. */
export const processIo: Io = {
  out: (text) => writeAll(1, text),
  err: (text) => writeAll(2, text),
  read: (path) => readFileSync(path === '-' ? 0 : path, 'utf8'),
  create: (path) => {
    const fd = openSync(path, 'w');
    return { write: (text) => writeAll(fd, text), close: () => closeSync(fd) };
  },
};

/** What commands read from and write to: the process, or a test. */
import {
  accessSync,
  closeSync,
  constants,
  fstatSync,
  openSync,
  readFileSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { fault } from './fault.ts';

/** The outside world of a command. */
export interface Io {
  /** Text to stdout. Throws a Fault if it cannot be written. */
  out(text: string): void;
  /** Text to stderr. */
  err(text: string): void;
  /** A file, or stdin for "-". Throws as node:fs does. */
  read(path: string): string;
  /** Opens a file for writing; `write` appends, `close` ends it. Throws as node:fs does. */
  create(path: string): { write(text: string): void; close(): void };
  /** Throws if `path` cannot be a file that is written, and touches nothing. */
  checkWritable(path: string): void;
  /** True if `path`, which was read (a file, or "-"), and `other` are the same file. */
  isSame(path: string, other: string): boolean;
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

/** Not so of terminals and pipes, which can be read and written. */
function isSameFile(path: string, other: string): boolean {
  try {
    const read = path === '-' ? fstatSync(0) : statSync(path);
    const written = statSync(other);
    return written.isFile() && written.dev === read.dev && written.ino === read.ino;
  } catch {
    // one of them is not there, or out of sight
    return false;
  }
}

function checkWritable(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory() || (found === undefined && path.endsWith('/')))
    throw new Error('it is a folder, not a file');
  accessSync(found === undefined ? dirname(path) : path, constants.W_OK);
}

/** Files, stdin, and these descriptors, written synchronously: nothing is lost when the process exits. */
export function descriptorIo(stdout: number, stderr: number): Io {
  return {
    out: (text) => {
      try {
        writeAll(stdout, text);
      } catch (error) {
        throw fault(`stdout: cannot be written: ${(error as Error).message}`);
      }
    },
    err: (text) => {
      try {
        writeAll(stderr, text);
      } catch {
        // there is nowhere else to say it
      }
    },
    read: (path) => readFileSync(path === '-' ? 0 : path, 'utf8'),
    create: (path) => {
      const fd = openSync(path, 'w');
      return { write: (text) => writeAll(fd, text), close: () => closeSync(fd) };
    },
    checkWritable,
    isSame: isSameFile,
  };
}

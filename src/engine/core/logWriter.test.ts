import { describe, expect, it } from 'vitest';
import { KIND } from './eventKinds.ts';
import { EventLog } from './eventLog.ts';
import { LogWriter, MAX_TRACKS } from './logWriter.ts';

describe('LogWriter', () => {
  it('writes at the present time, and each row is the cause of the next', () => {
    const writer = new LogWriter(new EventLog());
    writer.nowNs = 5;
    expect(writer.emit(KIND.srcu_flip, 3, 7)).toBe(0);
    writer.nowNs = 6;
    expect(writer.emit(KIND.srcu_lock, 4, 1, 2, 3, 4)).toBe(1);
    expect(writer.log.row(0)).toEqual({
      timeNs: 5,
      kind: KIND.srcu_flip,
      track: 3,
      cause: -1,
      a: 7,
      b: 0,
      c: 0,
      d: 0,
    });
    expect(writer.log.row(1)).toMatchObject({ timeNs: 6, cause: 0, a: 1, b: 2, c: 3, d: 4 });
    expect(writer.cause).toBe(1);
  });

  it('refuses a track that a row cannot name, and says which', () => {
    const writer = new LogWriter(new EventLog());
    writer.emit(KIND.srcu_flip, MAX_TRACKS - 1);
    expect(writer.log.row(0).track).toBe(MAX_TRACKS - 1);
    expect(() => writer.emit(KIND.srcu_flip, MAX_TRACKS)).toThrow('on track 65536: kinds end at 255');
    expect(writer.log.length).toBe(1);
  });
});

import { EXIT } from './fault.ts';
import type { Io } from './io.ts';

/** Prints one object, or what people read; the exit status. */
export function print(io: Io, isJson: boolean, json: object, text: () => string): number {
  io.out(isJson ? `${JSON.stringify(json)}\n` : text());
  return EXIT.fine;
}

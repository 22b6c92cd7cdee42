/** Exit statuses (docs/configuration.md); `failed`: the program itself is at fault. */
export const EXIT = { fine: 0, violated: 1, badInput: 2, failed: 3 } as const;

/** Bad input: one line per fault, shown on stderr; the command ends with status 2. */
export class Fault extends Error {
  readonly lines: readonly string[];

  constructor(lines: readonly string[]) {
    super(lines.join('\n'));
    this.lines = lines;
  }
}

/** A fault of one line. */
export function fault(line: string): Fault {
  return new Fault([line]);
}

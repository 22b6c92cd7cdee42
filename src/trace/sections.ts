/** Titled parts of a text: people put runs of several kernels into one file, each under a line "# ...". */

/** A part, from one title to the next. */
export interface Section {
  /** Without the sign; "" before the first title. */
  readonly title: string;
  /** Lines from 1, the title not included. */
  readonly fromLine: number;
  readonly toLine: number;
}

/** A comment of one line with words in it; the header of a trace has several lines, and its first one names the tracer. */
const TITLE = /^#+\s*(?!tracer:)(\S.*)$/;

/** The parts of a text that hold anything. A comment of one line is a title if something else follows it. */
export function readSections(text: string): readonly Section[] {
  const lines = text.split('\n').map((line) => line.trimEnd());
  const isComment = (line: string | undefined) => line?.startsWith('#') === true;
  const sections: Section[] = [];
  let title = '';
  let fromLine = 1;
  const close = (toLine: number) => {
    const hasContent = lines.slice(fromLine - 1, toLine).some((line) => line !== '' && !isComment(line));
    if (hasContent) sections.push({ title, fromLine, toLine });
  };
  lines.forEach((line, i) => {
    const words = TITLE.exec(line)?.[1];
    if (words === undefined || isComment(lines[i - 1]) || isComment(lines[i + 1])) return;
    close(i);
    title = words;
    fromLine = i + 2;
  });
  close(lines.length);
  return sections;
}

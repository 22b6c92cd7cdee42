import { expect, test } from 'vitest';
import { mean, median } from './average.ts';
import { readSections } from './sections.ts';

test('a comment of one line is the title of what follows it', () => {
  const text = '# kernel A\na\n\n## kernel B\n\nb\nc\n';
  expect(readSections(text)).toEqual([
    { title: 'kernel A', fromLine: 2, toLine: 3 },
    { title: 'kernel B', fromLine: 5, toLine: 8 },
  ]);
});

test('what stands before the first title is a part too, empty ones are none', () => {
  expect(readSections('a\n# x\n# y\nb\n#z\n\n').map(({ title }) => title)).toEqual(['']);
  expect(readSections('a\n# x\nb\n').map(({ title }) => title)).toEqual(['', 'x']);
  expect(readSections('')).toEqual([]);
});

test('the header of a trace is no title', () => {
  const header =
    '# tracer: nop\n#\n# entries-in-buffer/entries-written: 4/4   #P:8\n#\n#           TASK-PID\n#              | |\n';
  expect(readSections(`${header}a\n`).map(({ title }) => title)).toEqual(['']);
  expect(readSections('# tracer: nop\na\n').map(({ title }) => title)).toEqual(['']);
  expect(readSections(`# kernel A\n\n${header}a\n`).map(({ title }) => title)).toEqual(['kernel A']);
});

test('averages', () => {
  expect([median([3, 1, 2]), median([4, 1, 3, 2]), median([7]), mean([1, 2])]).toEqual([2, 2.5, 7, 1.5]);
  expect([median([]), mean([])]).toEqual([Number.NaN, Number.NaN]);
});

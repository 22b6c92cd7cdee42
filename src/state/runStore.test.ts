import { expect, it } from 'vitest';
import { createRunStore, type Notice } from './runStore.ts';

it('the last finished run stays while the next one is under way, fails or is cancelled', () => {
  const run = createRunStore<string>();
  run.started();
  run.finished('first');
  run.started();
  expect(run.getState()).toMatchObject({ status: 'running', summary: 'first', generation: 1 });
  run.failed('no memory');
  expect(run.getState()).toMatchObject({ status: 'failed', summary: 'first', error: 'no memory' });
  run.started();
  expect(run.getState()).toMatchObject({ status: 'running', error: undefined });
  run.cancelled();
  expect(run.getState()).toMatchObject({ status: 'cancelled', summary: 'first', error: undefined });
  run.finished('second');
  expect(run.getState()).toMatchObject({
    status: 'done',
    summary: 'second',
    generation: 2,
    error: undefined,
  });
});

it('a digest belongs to one run', () => {
  const run = createRunStore<string>();
  run.finished('first');
  run.digested('9f3ac1d2');
  run.finished('second');
  expect(run.getState().digest).toBeUndefined();
});

it('notices of one source replace one another', () => {
  const run = createRunStore<string>();
  const notice = (source: Notice['source'], text: string): Notice => ({
    source,
    text,
    tone: 'info',
    details: [],
  });
  run.notify(notice('link', 'a'));
  run.notify(notice('digest', 'b'));
  run.notify(notice('link', 'c'));
  expect(run.getState().notices.map(({ text }) => text)).toEqual(['b', 'c']);
  run.dismiss('link');
  expect(run.getState().notices.map(({ text }) => text)).toEqual(['b']);
});

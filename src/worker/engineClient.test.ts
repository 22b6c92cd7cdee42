import { describe, expect, test } from 'vitest';
import { createEngineClient, type WorkerLike } from './engineClient.ts';
import type { FromWorker, Request, ToWorker } from './protocol.ts';

/** A worker that answers when told to. */
function fakeWorker() {
  const sent: ToWorker[] = [];
  const worker: WorkerLike = { postMessage: (message) => sent.push(message), onmessage: null, onerror: null };
  const reply = (data: FromWorker) => worker.onmessage?.({ data } as MessageEvent<FromWorker>);
  return { worker, sent, reply };
}

const view = (t1Ns: number): Extract<Request, { type: 'view' }> => ({
  type: 'view',
  view: { t0Ns: 0, t1Ns, widthPx: 10 },
});
const order = { config: {} as never, view: { fit: 'run', widthPx: 1 }, rows: { at: 'firstSleep' } } as const;

describe('engine client', () => {
  test('a cancelled run resolves to undefined, a faulty one rejects with its message', async () => {
    const { worker, reply, sent } = fakeWorker();
    const client = createEngineClient(worker);
    const first = client.run(order);
    const second = client.run(order);
    expect(sent.map((message) => message.type)).toEqual(['run', 'run']);
    reply({ type: 'cancelled', id: 1 });
    reply({ type: 'error', id: 2, message: 'no such kernel' });
    expect(await first).toBeUndefined();
    await expect(second).rejects.toThrow('no such kernel');
  });

  test('progress reaches the run it belongs to', () => {
    const { worker, reply } = fakeWorker();
    const client = createEngineClient(worker);
    const seen: number[] = [];
    void client.run(order, (rows) => seen.push(rows));
    reply({ type: 'progress', id: 1, rows: 5, nowNs: 0 });
    reply({ type: 'progress', id: 9, rows: 6, nowNs: 0 });
    expect(seen).toEqual([5]);
  });

  test('of view requests the latest wins', async () => {
    const { worker, sent, reply } = fakeWorker();
    const client = createEngineClient(worker);
    const answers = [client.ask(view(1)), client.ask(view(2)), client.ask(view(3))];
    expect(sent).toHaveLength(1);
    reply({ type: 'answer', id: 1, request: 'view', value: ['one'] });
    expect(await answers[0]).toEqual(['one']);
    expect(await answers[1]).toBeUndefined();
    expect(sent[1]).toMatchObject({ type: 'ask', request: view(3) });
    reply({ type: 'answer', id: 2, request: 'view', value: ['three'] });
    expect(await answers[2]).toEqual(['three']);
  });

  test('other requests all get their answer', async () => {
    const { worker, sent, reply } = fakeWorker();
    const client = createEngineClient(worker);
    const digests = [client.ask<'digest'>({ type: 'digest' }), client.ask<'digest'>({ type: 'digest' })];
    expect(sent).toHaveLength(2);
    reply({ type: 'answer', id: 2, request: 'digest', value: 'b' });
    reply({ type: 'answer', id: 1, request: 'digest', value: 'a' });
    expect(await Promise.all(digests)).toEqual(['a', 'b']);
  });

  test('a worker that dies rejects everything that waits', async () => {
    const { worker } = fakeWorker();
    const client = createEngineClient(worker);
    const waiting = [client.run(order), client.ask(view(1)), client.ask(view(2))];
    worker.onerror?.({ message: 'out of memory' } as ErrorEvent);
    for (const promise of waiting) await expect(promise).rejects.toThrow('out of memory');
  });

  test('cancel names the newest run', () => {
    const { worker, sent } = fakeWorker();
    const client = createEngineClient(worker);
    void client.run(order);
    void client.run(order);
    client.cancel();
    expect(sent.at(-1)).toEqual({ type: 'cancel', id: 2 });
  });
});

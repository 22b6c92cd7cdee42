/** A call of the update side as a machine of steps on its thread: what all mechanisms share. */
import { APIS } from '../config.ts';
import { KIND } from '../core/eventKinds.ts';
import type { Sim } from '../core/sim.ts';
import type { Task } from '../core/task.ts';
import type { Costs } from '../machine/presets.ts';
import type { World } from './thread.ts';

/** Who makes calls. */
export interface Caller {
  readonly world: World;
}

/** The calls of one thread, one after the other. */
export interface ApiCall {
  /** Call number `number` begins: the next step is its first. */
  begin(number: number): void;
  /** Asks the thread for one thing and returns true, or returns false: the call has returned. */
  step(): boolean;
}

/** `a` of api_call and api_return rows by name of the call. */
const API_INDEX = Object.fromEntries(APIS.map((api, i) => [api, i])) as Record<string, number>;

/** The rows of entry and return, waiting for completions. */
export abstract class Call<Calls extends Caller = Caller> implements ApiCall {
  protected readonly calls: Calls;
  protected readonly thread: Task;
  protected readonly sim: Sim;
  protected readonly world: World;
  protected readonly machine: Costs;
  protected number = 0;
  protected phase = 0;
  protected enteredNs = 0;
  #api = '';
  #apiIndex = 0;
  #pending = 0;
  #isWaiting = false;
  #last: (() => void) | undefined;
  /** One of the awaited completions has come. */
  protected readonly complete = () => {
    this.#pending--;
    if (this.#pending > 0) return;
    this.#last?.();
    if (this.#isWaiting) {
      this.#isWaiting = false;
      this.wake();
    }
  };

  constructor(calls: Calls, thread: Task) {
    this.calls = calls;
    this.thread = thread;
    this.world = calls.world;
    this.sim = calls.world.sim;
    this.machine = this.sim.machine;
  }

  begin(number: number): void {
    this.number = number;
    this.phase = 0;
  }

  abstract step(): boolean;

  /** Track of the domain or flavor that is called. */
  protected abstract get domainTrack(): number;

  /** Wakes the thread: all completions have come. */
  protected abstract wake(): void;

  protected enter(api: string): void {
    if (api !== this.#api) {
      this.#api = api;
      this.#apiIndex = API_INDEX[api] as number;
    }
    this.enteredNs = this.sim.nowNs;
    this.sim.emit(KIND.api_call, this.thread.track, this.#apiIndex, this.number, this.domainTrack);
  }

  /** Returns from the call that was entered last. */
  protected leave(): void {
    const latencyNs = this.sim.nowNs - this.enteredNs;
    this.sim.emit(
      KIND.api_return,
      this.thread.track,
      this.#apiIndex,
      this.number,
      latencyNs,
      this.domainTrack,
    );
  }

  /** So many calls of `complete` are awaited. `last`: done with the last of them. */
  protected expect(count: number, last?: () => void): void {
    this.#pending = count;
    this.#last = last;
  }

  protected get isComplete(): boolean {
    return this.#pending === 0;
  }

  /** Blocks until all completions have come. */
  protected wait(): void {
    this.#isWaiting = true;
    this.thread.block();
  }
}

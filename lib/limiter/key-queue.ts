/**
 * Queues of waiting requests, one for each key, in this process.
 * They are served in order of arrival. A request that has left takes no memory, however it left.
 */
import { withResolvers } from "./with-resolvers.ts";

export class KeyQueue {
  readonly #queues = new Map<string, Queue>();

  /** How many wait for a key. */
  length(key: string): number {
    return this.#queues.get(key)?.costs.size ?? 0;
  }

  /** The costs of the requests that wait for a key, in their order. */
  queuedCosts(key: string): number[] {
    return [...(this.#queues.get(key)?.costs.values() ?? [])].map(({ cost }) => cost);
  }

  /**
   * Runs `work` when that of all before it with the same key has ended.
   * A mutex for each key.
   */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const place = this.join(key, 1);
    try {
      return await place.inOrder(work);
    } finally {
      place.leave();
    }
  }

  join(key: string, cost: number): QueuePlace {
    const queue = this.#queues.get(key) ?? { costs: new Map(), joined: 0, previous: Promise.resolve() };
    this.#queues.set(key, queue);
    const { promise: turn, resolve: comeFirst } = withResolvers<void>();
    const number = queue.joined;
    queue.joined += 1;
    queue.costs.set(number, { cost, comeFirst });
    callFirst(queue);
    return {
      queuedCosts() {
        const costs = [];
        for (const [other, { cost }] of queue.costs) {
          if (other >= number) break;
          costs.push(cost);
        }
        return costs;
      },
      turn,
      inOrder(work) {
        const result = queue.previous.then(work);
        queue.previous = result.catch(() => undefined);
        return result;
      },
      leave: () => {
        if (!queue.costs.delete(number)) return;
        if (queue.costs.size === 0 && this.#queues.get(key) === queue) this.#queues.delete(key);
        callFirst(queue);
      },
    };
  }
}

/** A request's place in the queue of a key. */
interface QueuePlace {
  /** The costs of the requests still ahead, in their order. */
  queuedCosts(): number[];
  /** Resolves when all of them have left. */
  turn: Promise<void>;
  /**
   * Runs `work` after that of all in this queue who came before.
   * A request that leaves because of its result must leave within `work`: otherwise the next one would count it
   * once in the state and once in the queue.
   */
  inOrder<T>(work: () => Promise<T>): Promise<T>;
  /** Must be called in every case; a second call does nothing. */
  leave(): void;
}

/** `costs` is in order of arrival. */
interface Queue {
  costs: Map<number, { cost: number; comeFirst(): void }>;
  joined: number;
  previous: Promise<unknown>;
}

function callFirst({ costs }: Queue): void {
  const [first] = costs.values();
  first?.comeFirst();
}

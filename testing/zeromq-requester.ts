/** A client of the service with any number of concurrent requests, for tests. */
import { Dealer } from "zeromq";

export interface Requester {
  /** Sends a request under an id of its own, and resolves to its answer. */
  request(request: Record<string, unknown>): Promise<Record<string, unknown>>;
  /** How many requests have no answer yet. */
  inFlight(): number;
  close(): void;
}

export function requesterOf(address: string): Requester {
  const socket = new Dealer({ linger: 0 });
  socket.connect(address);
  const waiting = new Map<unknown, PromiseWithResolvers<Record<string, unknown>>>();
  const prefix = Math.random().toString(36).slice(2);
  let count = 0;
  let sending = Promise.resolve();
  const reading = (async () => {
    for await (const frames of socket) {
      const answer: Record<string, unknown> = JSON.parse(String(frames.at(-1)));
      waiting.get(answer.id)?.resolve(answer);
      waiting.delete(answer.id);
    }
  })();
  reading.catch(() => {});
  return {
    async request(request) {
      count += 1;
      const id = `${prefix} ${count}`;
      const answer = Promise.withResolvers<Record<string, unknown>>();
      waiting.set(id, answer);
      // One at a time: more than that is not allowed.
      sending = sending.then(() => socket.send(["", JSON.stringify({ id, ...request })]));
      await sending;
      return answer.promise;
    },
    inFlight: () => waiting.size,
    close: () => socket.close(),
  };
}

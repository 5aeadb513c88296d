/**
 * A process that sends requests to services at a steady rate.
 * The answers do not change the rate. On `{services, key, policies, perSecond, forMs}` it sends each service
 * `perSecond` requests under each policy, and returns how many were allowed when all are answered.
 */
import { Dealer } from "zeromq";
import { executeTasks } from "../worker.ts";

export type SteadyLoad = {
  services: string[];
  policies: string[];
  key: string;
  perSecond: number;
  forMs: number;
};

executeTasks(execute);

async function execute({ services, policies, key, perSecond, forMs }: SteadyLoad): Promise<number> {
  const sockets = services.map((address) => {
    const socket = new Dealer({ linger: 0, sendTimeout: 0, sendHighWaterMark: 0, receiveHighWaterMark: 0 });
    socket.connect(address);
    return socket;
  });
  let total = Number.POSITIVE_INFINITY;
  let answered = 0;
  let allowed = 0;
  const { promise, resolve } = Promise.withResolvers<void>();
  const reading = sockets.map(async (socket) => {
    for await (const frames of socket) {
      answered += 1;
      if (String(frames.at(-1)).includes('"allowed":true')) allowed += 1;
      if (answered === total) resolve();
    }
  });
  const bodies = policies.map((policy) => JSON.stringify({ policy, key }));
  const startedAt = performance.now();
  let rounds = 0;
  const timer = setInterval(() => {
    const elapsedMs = performance.now() - startedAt;
    for (; rounds < (Math.min(elapsedMs, forMs) * perSecond) / 1_000; rounds += 1)
      for (const socket of sockets) for (const body of bodies) void socket.send(["", body]);
    if (elapsedMs < forMs) return;
    clearInterval(timer);
    total = rounds * sockets.length * bodies.length;
    if (answered === total) resolve();
  }, 1);
  await promise;
  for (const socket of sockets) socket.close();
  await Promise.all(reading);
  return allowed;
}

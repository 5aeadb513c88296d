/**
 * Services with peers, reduced to granting and publishing.
 * Each has a memory of its own, on real sockets, and a manual clock.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { type Algorithm, createPolicyLimiter, memoryStore, type Policy } from "../lib/limiter/index.ts";
import { freePort } from "../scripts/cluster/free-port.ts";
import { countPeerEvent } from "../service/peers/count.ts";
import type { PeerEvent } from "../service/peers/message.ts";
import { peersSchema } from "../service/peers/settings.ts";
import { openPeers } from "../service/peers.ts";

export interface SettableClock {
  now: number;
}

export interface PeerService {
  peers: Awaited<ReturnType<typeof openPeers>>;
  /** The messages it has published. */
  published: PeerEvent[];
  /** Called before an event of another service is counted. */
  onCount?: () => void;
  /** The messages for the log. */
  warnings: object[];
  publish(kind: "consume" | "refund" | "reset", key: string, cost?: number): void;
  consume(key: string, cost?: number): Promise<boolean>;
  /** The count of a key, as far as it fits: 0 for an untouched one. */
  used(key: string): Promise<number>;
}

export interface PeerServiceOptions {
  publish: string;
  subscribe: string[];
  clock: SettableClock;
  token?: string;
}

export async function startPeerService<S>(
  algorithm: Algorithm<S>,
  { publish: address, subscribe, clock: time, token }: PeerServiceOptions,
): Promise<PeerService> {
  const clock = () => time.now;
  const store = memoryStore({ clock });
  const policy: Policy = { name: "demo", mode: "enforce", outage: "closed", algorithm };
  const published: PeerEvent[] = [];
  const publish = (event: PeerEvent) => {
    published.push(event);
    peers.publish(event);
  };
  const limiter = createPolicyLimiter({
    store,
    onCounted: ({ kind, check, cost, at }) => publish({ kind, policy: "demo", key: check.key, cost, at }),
  });
  const checksOf = (key: string) => [{ policy, key, counts: key }];
  const remaining = async (key: string) =>
    (await limiter.peek(checksOf(key), 1)).decisions[0]?.decision.remaining ?? 0;
  const warnings: object[] = [];
  const peers = await openPeers({
    settings: peersSchema.parse({ publish: address, subscribe }),
    token,
    count(event) {
      service.onCount?.();
      return countPeerEvent(store, algorithm, event);
    },
    log: { warn: (details: object, message = "") => void warnings.push({ ...details, message }) },
    clock,
  });
  const service: PeerService = {
    peers,
    published,
    warnings,
    publish: (kind, key, cost = 1) => publish({ kind, policy: "demo", key, cost, at: clock() }),
    consume: async (key, cost = 1) => !(await limiter.consume(checksOf(key), cost)).refusal,
    used: async (key) => (await remaining("untouched")) - (await remaining(key)),
  };
  return service;
}

/**
 * Services that all receive from each other and themselves.
 * Each has its own clock.
 */
export async function startPeerServices<S>(
  count: number,
  makeAlgorithm: () => Algorithm<S>,
  begin: number,
): Promise<{ services: PeerService[]; clocks: SettableClock[]; close(): Promise<void> }> {
  const ports = await Promise.all(Array.from({ length: count }, freePort));
  const subscribe = ports.map((port) => `tcp://127.0.0.1:${port}`);
  const clocks = subscribe.map(() => ({ now: begin }));
  const services = await Promise.all(
    clocks.map((clock, index) =>
      startPeerService(makeAlgorithm(), { publish: subscribe[index] ?? "", subscribe, clock }),
    ),
  );
  await connectAll(services);
  return {
    services,
    clocks,
    async close() {
      await Promise.all(services.map(({ peers }) => peers.close()));
    },
  };
}

let rounds = 0;

/**
 * Resolves when all have received all messages published so far.
 * Each one's messages come in order, and this is the last.
 */
export async function connectAll(services: readonly PeerService[]): Promise<void> {
  rounds += 1;
  const keyOf = (publisher: PeerService) => `connected? ${rounds} ${services.indexOf(publisher)}`;
  const pairs = services.flatMap((publisher) =>
    services
      .filter((subscriber) => subscriber !== publisher)
      .map((subscriber) => ({ publisher, subscriber })),
  );
  for (const { publisher, subscriber } of pairs)
    while ((await subscriber.used(keyOf(publisher))) === 0) {
      // Messages published before there was a connection are lost.
      publisher.publish("consume", keyOf(publisher));
      await sleep(1);
    }
}

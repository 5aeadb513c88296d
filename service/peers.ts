/**
 * Services that publish their grants to each other, each with its own states.
 *
 * Each publishes its counts (PUB) and counts those that the others publish (SUB). Nothing is decided together: until a
 * grant has arrived, another service does not know of it and may grant the same place once more. docs/service.md
 * ("Several services") proves by how much the limit is exceeded at most. No message is sent again: a service that was
 * not running or not connected never counts the messages that it has missed.
 */
import { randomUUID } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { Log } from "../lib/logging/create-log.ts";
import { throttle } from "../lib/logging/throttle.ts";
import { eventsMaximum, type PeerEvent, read, written } from "./peers/message.ts";
import type { PeersSettings } from "./peers/settings.ts";
import { openSockets } from "./peers/sockets.ts";

interface PeersOptions {
  settings: PeersSettings;
  /** Only peers that have it receive and are received (CURVE). */
  token?: string | undefined;
  /** Counts another service's grants here, before it returns. */
  count(event: PeerEvent): Promise<unknown>;
  log: Pick<Log, "warn">;
  /** Milliseconds since 1970. The machine's clock unless set. */
  clock?: () => number;
}

interface PeerFigures {
  /** Events that this service has published. */
  published: number;
  /** Events of others that were counted here. */
  applied: number;
  /** Messages of others that were lost on the way. */
  missed: number;
  /** Messages that cannot be read. */
  malformed: number;
}

export interface Peers {
  /** Where this service publishes, with the port that was chosen for 0. */
  address: string;
  /** Sends it to the others, at the end of this turn of the event loop. */
  publish(event: PeerEvent): void;
  /** Since the start. */
  readonly figures: Readonly<PeerFigures>;
  /**
   * The longest time from a grant of another service to its count here.
   * Since the last call.
   */
  takeLongestDelayMs(): number;
  /** Publishes the remaining events, and receives no more. */
  close(): Promise<void>;
}

/**
 * The maximum size of all keys in one message, unless it has only one.
 * A request may have 256 KiB, and a key escapes each byte as three.
 */
const keysMaximumCharacters = 1024 * 1024;
/** By how much another's clock may be ahead or its message late before a warning. */
const apartMaximumMs = 1_000;
const warningEveryMs = 60_000;
/** The maximum number of services whose last message number is kept. */
const sendersMaximum = 1_000;

/**
 * Starts to publish and subscribe.
 * Rejects when the address to publish on is not available. Other services may start later, or never.
 */
export async function openPeers(options: PeersOptions): Promise<Peers> {
  const { settings, token, count, log, clock = () => Date.now() } = options;
  const from = randomUUID();
  const figures: PeerFigures = { published: 0, applied: 0, missed: 0, malformed: 0 };
  /** The number of each service's last message. A restarted service is another one. */
  const lastSequences = new LRUCache<string, number>({ max: sendersMaximum });
  const throttledWarning = (message: string) =>
    throttle((details: object) => log.warn(details, message), warningEveryMs);
  const warn = {
    unpublished: throttledWarning("this service's counts could not be published"),
    malformed: throttledWarning("a message from a peer is ignored"),
    missed: throttledWarning("messages of a peer were lost: their counts are missing here"),
    apart: throttledWarning("the messages of a peer come late, or the clocks of both differ"),
    uncounted: throttledWarning("a peer's counts could not be applied here"),
  };
  const { publisher, subscriber, release } = await openSockets(settings, token);

  const unsent: PeerEvent[] = [];
  let sequence = 0;
  let longestDelayMs = 0;
  const ahead = new Set<NodeJS.Timeout>();

  function sendAll(): void {
    while (unsent.length > 0) {
      const events = unsent.splice(0, batchOf(unsent));
      sequence += 1;
      figures.published += events.length;
      publisher.send(written({ from, sequence, events })).catch((err) => warn.unpublished({ err }));
    }
  }

  function apply(text: string): void {
    const received = read(text);
    if ("fault" in received) {
      figures.malformed += 1;
      warn.malformed(received);
      return;
    }
    const { from: peer, sequence: current, events } = received.message;
    // The first message of a service is not a gap: that service may have been running for long.
    const last = lastSequences.get(peer) ?? current - 1;
    if (peer === from || current <= last) return;
    lastSequences.set(peer, current);
    const missed = current - last - 1;
    if (missed > 0) {
      figures.missed += missed;
      warn.missed({ peer, missed });
    }
    countAll(peer, events);
  }

  /**
   * Delays events of a peer whose clock is ahead until their time.
   * They then count in their own window.
   */
  function countAll(peer: string, events: readonly PeerEvent[]): void {
    const now = clock();
    const aheadMs = events.reduce((latest, { at }) => Math.max(latest, at), 0) - now;
    if (Math.abs(aheadMs) > apartMaximumMs) warn.apart({ peer, ms: -aheadMs });
    if (aheadMs <= 0 || aheadMs > apartMaximumMs) {
      countNow(events);
      return;
    }
    const timer = setTimeout(() => {
      ahead.delete(timer);
      countAll(peer, events);
    }, aheadMs);
    ahead.add(timer);
  }

  function countNow(events: readonly PeerEvent[]): void {
    for (const event of events) {
      figures.applied += 1;
      count(event).catch((err) => warn.uncounted({ err }));
      // Read when it is counted: the events before it have taken their time.
      longestDelayMs = Math.max(longestDelayMs, clock() - event.at);
    }
  }

  const receiving = (async () => {
    for await (const [frame] of subscriber) apply(frame?.toString() ?? "");
  })();
  receiving.catch((err) => log.warn({ err }, "peers are not received any more"));

  return {
    address: publisher.lastEndpoint ?? settings.publish.address,
    figures,
    takeLongestDelayMs() {
      const longest = longestDelayMs;
      longestDelayMs = 0;
      return longest;
    },
    publish(event) {
      if (unsent.length === 0) setImmediate(sendAll);
      unsent.push(event);
    },
    async close() {
      sendAll();
      for (const timer of ahead) clearTimeout(timer);
      publisher.close();
      subscriber.close();
      release();
      await receiving;
    },
  };
}

/** How many of the first fit into one message: keys may be long. */
function batchOf(events: readonly PeerEvent[]): number {
  let characters = 0;
  const rest = events.findIndex(({ key }, index) => {
    characters += key.length;
    return index > 0 && (index === eventsMaximum || characters > keysMaximumCharacters);
  });
  return rest === -1 ? events.length : rest;
}

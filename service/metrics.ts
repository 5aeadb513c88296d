/**
 * The metrics of this process, for Prometheus: the answer to `GET /metrics`.
 * Every label has few values, none made by a client.
 */
import { Counter, collectDefaultMetrics, Gauge, Registry } from "prom-client";
import type { DecisionEvent } from "./engine.ts";
import type { Peers } from "./peers.ts";

/** Current values, read at each scrape. */
interface Present {
  /** Waiting requests. */
  waiting: number;
  /** Answers that are kept by the id of their request. */
  keptAnswers: number;
}

type CountedOutcome = "allowed" | "refused" | "shadow-would-allow" | "shadow-would-refuse";
interface OutcomeCounts {
  labels: { policy: string; rule: string };
  counts: Record<CountedOutcome, number>;
}

export type Metrics = ReturnType<typeof createMetrics>;

export function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  let present: (() => Present) | undefined;
  const tallies = new Map<string | null, Map<string | null, OutcomeCounts>>();

  new Counter({
    name: "limiter_decisions_total",
    help: "Decisions of consume and wait by outcome: allowed, refused, shadow-would-allow, shadow-would-refuse; with the policy and the rule that decided, empty when none did.",
    labelNames: ["policy", "rule", "outcome"],
    registers,
    // Counting costs less in plain numbers: every request is counted.
    collect() {
      this.reset();
      for (const { labels, counts } of [...tallies.values()].flatMap((byRule) => [...byRule.values()]))
        for (const [outcome, count] of Object.entries(counts)) this.inc({ ...labels, outcome }, count);
    },
  });
  const outages = new Counter({
    name: "limiter_outages_total",
    help: "The number of times that a policy's state was unavailable.",
    labelNames: ["policy"],
    registers,
  });
  const reloads = new Counter({
    name: "limiter_reloads_total",
    help: "Reloads of the configuration file, by outcome: taken, refused.",
    labelNames: ["outcome"],
    registers,
  });
  const dropped = new Counter({
    name: "limiter_zeromq_messages_dropped_total",
    help: "ZeroMQ messages that were dropped without an answer because of their large envelope.",
    registers,
  });
  const unread = new Counter({
    name: "limiter_zeromq_answers_dropped_total",
    help: "Answers that were dropped because their ZeroMQ client does not read.",
    registers,
  });
  for (const outcome of ["taken", "refused"]) reloads.inc({ outcome }, 0);
  new Gauge({
    name: "limiter_waiting",
    help: "Waiting requests.",
    registers,
    collect() {
      this.set(present?.().waiting ?? 0);
    },
  });
  new Gauge({
    name: "limiter_answers_remembered",
    help: "Answers cached for requests that repeat an id.",
    registers,
    collect() {
      this.set(present?.().keptAnswers ?? 0);
    },
  });

  let peers: Peers | undefined;
  new Counter({
    name: "limiter_peer_events_total",
    help: "Events by direction: published to peers (told), received from peers and counted (heard).",
    labelNames: ["way"],
    registers,
    collect() {
      this.reset();
      this.inc({ way: "told" }, peers?.figures.published ?? 0);
      this.inc({ way: "heard" }, peers?.figures.applied ?? 0);
    },
  });
  new Counter({
    name: "limiter_peer_messages_lost_total",
    help: "Messages of peers that were lost (missed) or could not be parsed (malformed).",
    labelNames: ["how"],
    registers,
    collect() {
      this.reset();
      for (const how of ["missed", "malformed"] as const) this.inc({ how }, peers?.figures[how] ?? 0);
    },
  });

  new Gauge({
    name: "limiter_peer_delay_seconds",
    help: "The longest time from a peer's grant to its count here, since the last scrape.",
    registers,
    collect() {
      this.set((peers?.takeLongestDelayMs() ?? 0) / 1_000);
    },
  });

  return {
    /** A request was decided and, when allowed, counted. */
    decided({ policy, rule, allowed, shadow }: DecisionEvent): void {
      const byRule = within(tallies, policy, () => new Map<string | null, OutcomeCounts>());
      const { counts } = within(byRule, rule, () => ({
        labels: { policy: policy ?? "", rule: rule ?? "" },
        counts: { allowed: 0, refused: 0, "shadow-would-allow": 0, "shadow-would-refuse": 0 },
      }));
      if (shadow) counts[allowed ? "shadow-would-allow" : "shadow-would-refuse"] += 1;
      else counts[allowed ? "allowed" : "refused"] += 1;
    },
    outage: (policy: string): void => outages.inc({ policy }),
    messageDropped: (): void => dropped.inc(),
    answerDropped: (): void => unread.inc(),
    reloaded: (outcome: "taken" | "refused"): void => reloads.inc({ outcome }),
    /** Sets the source of the current values. */
    setPresent(read: () => Present): void {
      present = read;
    },
    setPeers(opened: Peers): void {
      peers = opened;
    },
    /** All metrics in Prometheus' text format. */
    async scrape(): Promise<{ contentType: string; text: string }> {
      return { contentType: registry.contentType, text: await registry.metrics() };
    },
  };
}

/** The value at a key, made when there is none. */
function within<K, V>(maps: Map<K, V>, key: K, make: () => V): V {
  const found = maps.get(key);
  if (found !== undefined) return found;
  const made = make();
  maps.set(key, made);
  return made;
}

/**
 * Codec of the messages between services.
 * `[version, from, sequence, events]`, each event `[at, kind, policy, key, cost]`.
 *
 * A message contains the grants of one service within one turn of its event loop, in order.
 */
import { z } from "zod";

/** A change of a service's counts. */
export interface PeerEvent {
  kind: "consume" | "refund" | "reset";
  policy: string;
  /** The state's key. */
  key: string;
  cost: number;
  /**
   * The time of the decision, not of the message.
   * In milliseconds since 1970, by the clock of the service that decided.
   */
  at: number;
}

interface PeerMessage {
  /** Another one each time a service is started. */
  from: string;
  /** 1 for a service's first message, and one more for each. */
  sequence: number;
  events: readonly PeerEvent[];
}

const version = 1;
/** One message has no more events than that. */
export const eventsMaximum = 1_000;

const kinds = { c: "consume", r: "refund", x: "reset" } as const;
const letters = { consume: "c", refund: "r", reset: "x" } as const;

const wholeNumber = z.int().min(0);
const cost = z.number().positive().max(Number.MAX_SAFE_INTEGER);
const event = z.tuple([wholeNumber, z.enum(letters), z.string(), z.string(), cost]);
const head = z.tuple([z.int()]).rest(z.unknown());
const body = z.tuple([
  z.literal(version),
  z.string().min(1).max(64),
  wholeNumber.min(1),
  z.array(event).max(eventsMaximum),
]);

export function written({ from, sequence, events }: PeerMessage): string {
  const lines = events.map(({ at, kind, policy, key, cost }) => [at, letters[kind], policy, key, cost]);
  return JSON.stringify([version, from, sequence, lines]);
}

/** The message, or why it cannot be read. */
export function read(text: string): { message: PeerMessage } | { fault: string } {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return { fault: "it is not JSON" };
  }
  const parsed = body.safeParse(json);
  if (parsed.success) {
    const [, from, sequence, lines] = parsed.data;
    const events = lines.map(([at, letter, policy, key, cost]) => ({
      at,
      kind: kinds[letter],
      policy,
      key,
      cost,
    }));
    return { message: { from, sequence, events } };
  }
  const received = head.safeParse(json).data?.[0];
  return received === undefined || received === version
    ? { fault: "it is not a list of counted events" }
    : {
        fault: `it is of version ${received}, and this service knows ${version}: run the same release everywhere`,
      };
}

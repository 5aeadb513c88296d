/**
 * Idempotency: a request that is repeated with its id gets the first answer.
 * That answer may have been lost. The request is not counted again, for a minute after the answer and while it is
 * being decided. Ids belong to the whole service, whichever protocol a request comes by: clients must choose them so that
 * no two choose the same, such as UUIDs.
 */
import { LRUCache } from "lru-cache";
import type { Answer, Engine } from "./answers.ts";
import type { Request } from "./messages.ts";
import { sharedSignal } from "./shared-signal.ts";

/** An answer, and its JSON. */
export interface EncodedAnswer {
  answer: Answer;
  text: string;
}

export interface IdempotentEngine extends Engine {
  /** As `execute`, with the answer's JSON, which is kept anyway. */
  executeEncoded(request: Request, signal?: AbortSignal): Promise<EncodedAnswer>;
  /** The number of answers kept. */
  kept(): number;
}

export interface IdempotencySettings {
  /** For how long an answer is kept, in milliseconds, unless there are too many. */
  keptMs?: number;
  /**
   * The maximum number of answers kept, and of their characters.
   * Beyond that the oldest are removed.
   */
  mostAnswers?: number;
  mostCharacters?: number;
  /** Milliseconds that only go forward. */
  clock?: () => number;
}

/**
 * A request and its answer.
 * There may be half a million: only a number is kept of the request, and only the text of the answer, since many
 * small objects that stay for a minute keep the garbage collector busy.
 */
interface Entry {
  fingerprint: number;
  /** Undefined once there is an answer. */
  answering: Promise<EncodedAnswer> | undefined;
  text: string;
  /** For a wait: adds a caller. False when all callers have given it up already. */
  join: ((signal: AbortSignal | undefined) => boolean) | undefined;
}

/** What an entry counts as at least, in characters; nearly all answers are shorter. */
const usualCharacters = 400;

/**
 * Requests without an id go to `engine` directly.
 * What failed or could not be decided may be repeated.
 */
export function idempotent(
  engine: Engine,
  {
    // A minute from the answer, which may take a store some seconds.
    keptMs = 70_000,
    mostAnswers = 500_000,
    mostCharacters = 200_000_000,
    clock = () => performance.now(),
  }: IdempotencySettings = {},
): IdempotentEngine {
  const cache = new LRUCache<string | number, Entry>({
    max: mostAnswers,
    maxSize: mostCharacters,
    sizeCalculation: ({ text }) => Math.max(usualCharacters, text.length),
    ttl: keptMs,
    ttlResolution: 0,
    perf: { now: clock },
  });
  // A wait is kept from its decision on: until then it may take longer than anything is kept.
  const waits = new Map<string | number, Entry>();

  function first(id: string | number, request: Request, signal: AbortSignal | undefined) {
    const entry: Entry = {
      fingerprint: fingerprintOf(request),
      answering: undefined,
      text: "",
      join: undefined,
    };
    if (request.verb === "wait") {
      waits.set(id, entry);
      entry.answering = wait(id, entry, request, signal);
    } else {
      cache.set(id, entry);
      entry.answering = decide(id, entry, request, signal);
    }
    return entry.answering;
  }

  async function decide(
    id: string | number,
    entry: Entry,
    request: Request,
    signal: AbortSignal | undefined,
  ): Promise<EncodedAnswer> {
    const encoded = encode(await engine.execute(request, signal));
    const { answer, text } = encoded;
    entry.answering = undefined;
    entry.text = text;
    // Set again, an entry would keep its size.
    if (!isDecided(answer) || text.length > usualCharacters) cache.delete(id);
    if (isDecided(answer) && text.length > usualCharacters) cache.set(id, entry);
    return encoded;
  }

  async function wait(
    id: string | number,
    entry: Entry,
    request: Request,
    signal: AbortSignal | undefined,
  ): Promise<EncodedAnswer> {
    const shared = sharedSignal();
    shared.join(signal);
    entry.join = shared.join;
    const encoded = encode(await engine.execute(request, shared.signal));
    const { answer, text } = encoded;
    shared.end();
    waits.delete(id);
    entry.answering = undefined;
    entry.join = undefined;
    entry.text = text;
    // A wait that all callers have given up was not counted, and may be repeated.
    const isGivenUp = shared.signal.aborted && "allowed" in answer && !answer.allowed;
    if (!isGivenUp && isDecided(answer)) cache.set(id, entry);
    return encoded;
  }

  async function repeat(
    entry: Entry,
    request: Request,
    signal: AbortSignal | undefined,
  ): Promise<EncodedAnswer> {
    if (fingerprintOf(request) !== entry.fingerprint) {
      const { id } = request;
      const error = "another request was sent with this id a short while ago: choose a new one";
      return encode({ ...(id !== undefined && { id }), error });
    }
    if (entry.join?.(signal) === false) {
      await entry.answering;
      return executeEncoded(request, signal);
    }
    // The text was made of an answer.
    return entry.answering ?? { answer: JSON.parse(entry.text), text: entry.text };
  }

  function executeEncoded(request: Request, signal?: AbortSignal): Promise<EncodedAnswer> {
    const { id } = request;
    if (id === undefined) return engine.execute(request, signal).then(encode);
    const entry = cache.get(id) ?? waits.get(id);
    return entry ? repeat(entry, request, signal) : first(id, request, signal);
  }

  return {
    executeEncoded,
    kept: () => cache.size,
    execute: async (request, signal) =>
      request.id === undefined
        ? engine.execute(request, signal)
        : (await executeEncoded(request, signal)).answer,
  };
}

/** Whether a repeated request gets this answer: no fault, and no outage's refusal. */
function isDecided(answer: Answer): boolean {
  return !("error" in answer) && !("reason" in answer && !answer.allowed && "unavailable" in answer.reason);
}

function encode(answer: Answer): EncodedAnswer {
  return { answer, text: JSON.stringify(answer) };
}

/** Of 32 bits: it need only find mistakes. */
function fingerprintOf({ verb, policy = "", key = "", cost = 1, maxWaitMs = 0, fields }: Request): number {
  const text = `${verb}\n${policy}\n${cost}\n${maxWaitMs}\n${key}${fields ? JSON.stringify(fields) : ""}`;
  // FNV-1a, of 32 bits.
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash;
}

/**
 * Idempotency: a request that is repeated with its id gets the first answer.
 * That answer may have been lost. The request is not counted again, for a minute after the answer and while it is being
 * decided. Ids belong to the whole service, over all protocols: clients must choose unique ones, such as UUIDs.
 */
import { randomBytes } from "node:crypto";
import { type Answer, andThen, type EncodedAnswer, type Engine, type MaybePromise } from "./answers.ts";
import { type AnswerCacheSettings, createAnswerCache } from "./idempotency/answer-cache.ts";
import { type HashKey, halfSipHash } from "./idempotency/half-sip-hash.ts";
import { createInFlightDecisions } from "./idempotency/in-flight-decisions.ts";
import type { Request } from "./messages.ts";
import { sharedSignal } from "./shared-signal.ts";

export interface IdempotentEngine extends Engine {
  /** As `execute`, with the answer's JSON, which is kept anyway. */
  executeEncoded(request: Request, signal?: AbortSignal): MaybePromise<EncodedAnswer>;
  /** The number of answers kept. */
  kept(): number;
}

/**
 * Requests without an id go to `engine` directly.
 * A request that failed or could not be decided may be repeated.
 */
export function idempotent(engine: Engine, settings: AnswerCacheSettings = {}): IdempotentEngine {
  const cache = createAnswerCache(settings);
  const inFlight = createInFlightDecisions();
  const random = randomBytes(8);
  const hashKey: HashKey = [random.readInt32LE(0), random.readInt32LE(4)];

  function executeEncoded(request: Request, signal?: AbortSignal): MaybePromise<EncodedAnswer> {
    const { id } = request;
    if (id === undefined) return andThen(engine.execute(request, signal), encode);
    const hash = halfSipHash(hashKey, String(id));
    const fingerprint = fingerprintOf(request);
    const known = inFlight.find(id, hash) ?? cache.find(id, hash);
    if (!known) return first(id, hash, fingerprint, request, signal);
    if (known.fingerprint !== fingerprint) {
      const error = "another request was sent with this id a short while ago: choose a new one";
      return encode({ id, error });
    }
    if ("text" in known) return known;
    if (known.join?.(signal) !== false) return known.answering;
    return known.answering.then(() => executeEncoded(request, signal));
  }

  function first(
    id: string | number,
    hash: number,
    fingerprint: number,
    request: Request,
    signal: AbortSignal | undefined,
  ): MaybePromise<EncodedAnswer> {
    const shared = request.verb === "wait" ? sharedSignal() : undefined;
    shared?.join(signal);
    const keep = (answer: Answer) => {
      const encoded = encode(answer);
      // A wait that all callers have given up was not counted, and may be repeated.
      const isGivenUp = shared?.signal.aborted && "allowed" in answer && !answer.allowed;
      shared?.end();
      if (isDecided(answer) && !isGivenUp) cache.add(hash, fingerprint, encoded.text);
      return encoded;
    };
    const answer = engine.execute(request, shared ? shared.signal : signal);
    if (!(answer instanceof Promise)) return keep(answer);
    const answering = answer.then((later) => {
      inFlight.remove(id, hash);
      return keep(later);
    });
    inFlight.add(hash, { id, fingerprint, answering, join: shared?.join, next: undefined });
    return answering;
  }

  return {
    executeEncoded,
    kept: cache.size,
    execute: (request, signal) =>
      request.id === undefined
        ? engine.execute(request, signal)
        : andThen(executeEncoded(request, signal), ({ answer }) => answer),
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
  let hash = fnv1a(fnv1a(fnv1a(0x811c9dc5, verb), policy), key);
  if (cost !== 1 || maxWaitMs !== 0) hash = fnv1a(hash, `${cost} ${maxWaitMs}`);
  return fields ? fnv1a(hash, JSON.stringify(fields)) : hash;
}

/** The 32-bit FNV-1a hash of a text and a terminator, continuing a hash. */
function fnv1a(before: number, text: string): number {
  let hash = before;
  for (let index = 0; index < text.length; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return Math.imul(hash ^ 0x0a, 0x01000193);
}

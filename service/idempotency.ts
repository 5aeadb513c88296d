/**
 * Idempotency: a request that is repeated with its id gets the first answer.
 * That answer may have been lost. The request is not counted again, for a minute after the answer and while it is
 * being decided. Ids belong to the whole service, whichever protocol a request comes by: clients must choose them so that
 * no two choose the same, such as UUIDs.
 */
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
   * The maximum number of characters of all answers kept.
   * Beyond that the oldest are removed. An answer counts as at least `leastCharacters`.
   */
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
  id: string | number;
  fingerprint: number;
  /** Undefined once there is an answer. */
  answering: Promise<EncodedAnswer> | undefined;
  /** For a wait: adds a caller. False when all callers have given it up already. */
  join: ((signal: AbortSignal | undefined) => boolean) | undefined;
  text: string;
  keptUntil: number;
  /** The answer that was kept next. */
  newer: Entry | undefined;
}

/** Nearly all answers are shorter. */
const leastCharacters = 400;

/**
 * Requests without an id go to `engine` directly.
 * What failed or could not be decided may be repeated.
 */
export function idempotent(
  engine: Engine,
  {
    keptMs = 60_000,
    mostCharacters = 200_000_000,
    clock = () => performance.now(),
  }: IdempotencySettings = {},
): IdempotentEngine {
  const entries = new Map<string | number, Entry>();
  // The answers kept are a list from the oldest to the newest: a wait comes in with its answer.
  let oldest: Entry | undefined;
  let newest: Entry | undefined;
  let kept = 0;
  let characters = 0;

  function first(id: string | number, request: Request, signal: AbortSignal | undefined) {
    const entry: Entry = {
      id,
      fingerprint: fingerprintOf(request),
      answering: undefined,
      join: undefined,
      text: "",
      keptUntil: 0,
      newer: undefined,
    };
    entries.set(id, entry);
    entry.answering =
      request.verb === "wait"
        ? wait(entry, request, signal)
        : engine.execute(request, signal).then((answer) => settle(entry, answer, false));
    return entry.answering;
  }

  async function wait(
    entry: Entry,
    request: Request,
    signal: AbortSignal | undefined,
  ): Promise<EncodedAnswer> {
    const shared = sharedSignal();
    shared.join(signal);
    entry.join = shared.join;
    const answer = await engine.execute(request, shared.signal);
    shared.end();
    // A wait that all callers have given up was not counted, and may be repeated.
    const isGivenUp = shared.signal.aborted && "allowed" in answer && !answer.allowed;
    return settle(entry, answer, isGivenUp);
  }

  function settle(entry: Entry, answer: Answer, isGivenUp: boolean): EncodedAnswer {
    const encoded = encode(answer);
    entry.answering = undefined;
    entry.join = undefined;
    if (isGivenUp || !isDecided(answer)) entries.delete(entry.id);
    else keep(entry, encoded.text);
    return encoded;
  }

  function keep(entry: Entry, text: string): void {
    const now = Math.ceil(clock());
    entry.text = text;
    entry.keptUntil = now + keptMs;
    if (newest) newest.newer = entry;
    else oldest = entry;
    newest = entry;
    kept += 1;
    characters += charactersOf(entry);
    // Two at most, so that the many of an earlier rush do not delay this one.
    for (let left = 2; left > 0 && oldest && oldest.keptUntil <= now; left -= 1) removeOldest(oldest);
    while (oldest && characters > mostCharacters) removeOldest(oldest);
  }

  function removeOldest(entry: Entry): void {
    // Its id may have come again since it expired.
    if (entries.get(entry.id) === entry) entries.delete(entry.id);
    oldest = entry.newer;
    if (!oldest) newest = undefined;
    kept -= 1;
    characters -= charactersOf(entry);
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
    const entry = entries.get(id);
    const isThere = entry && (entry.answering || clock() < entry.keptUntil);
    return isThere ? repeat(entry, request, signal) : first(id, request, signal);
  }

  return {
    executeEncoded,
    kept: () => kept,
    execute: async (request, signal) =>
      request.id === undefined
        ? engine.execute(request, signal)
        : (await executeEncoded(request, signal)).answer,
  };
}

function charactersOf({ text }: Entry): number {
  return Math.max(leastCharacters, text.length);
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
  const verbAndPolicy = mixed(mixed(0x811c9dc5, verb), policy);
  const hash = mixed(mixed(mixed(verbAndPolicy, String(cost)), String(maxWaitMs)), key);
  return fields ? mixed(hash, JSON.stringify(fields)) : hash;
}

/** FNV-1a of a text and its end. */
function mixed(hash: number, text: string): number {
  let next = hash;
  for (let index = 0; index < text.length; index += 1)
    next = Math.imul(next ^ text.charCodeAt(index), 0x01000193);
  return Math.imul(next ^ 0x0a, 0x01000193);
}

/**
 * A request that is asked again with its id, because the reply was lost, gets the answer of the first time and is not
 * counted again: for a minute and more after that answer, and at once while there is none yet. Ids are those of the whole
 * service, whichever way requests come: callers must choose them so that no two choose the same, such as UUIDs.
 */
import type { Answer } from "./answers.ts";
import type { Engine, Request } from "./messages.ts";
import { type Asked, recentlyAsked } from "./repeated-requests/recently-asked.ts";
import { sharedSignal } from "./repeated-requests/shared-signal.ts";

/** An answer, and the same as JSON. */
export interface WrittenAnswer {
  answer: Answer;
  text: string;
}

export interface RepeatedRequests extends Engine {
  /** As `ask`, with the text that is remembered anyway: who needs it should not make it a second time. */
  askWritten(request: Request, signal?: AbortSignal): Promise<WrittenAnswer>;
  /** How many answers are remembered. */
  remembered(): number;
}

export interface RepeatedRequestsSettings {
  /** For how long an answer is remembered at least, in milliseconds, unless there are too many. */
  rememberedMs?: number;
  /** How many answers are remembered at most, and how many characters of them; then the older half is forgotten. */
  mostAnswers?: number;
  mostCharacters?: number;
  /** Milliseconds that only go forward. */
  clock?: () => number;
}

/** The same engine for requests without an id. What was answered with an error was not done, and may be asked again. */
export function repeatedRequests(
  engine: Engine,
  {
    // A minute from the answer, which may take a store some seconds.
    rememberedMs = 70_000,
    mostAnswers = 500_000,
    mostCharacters = 200_000_000,
    clock = () => performance.now(),
  }: RepeatedRequestsSettings = {},
): RepeatedRequests {
  const recent = recentlyAsked(rememberedMs, mostAnswers / 2, mostCharacters / 2);
  // A wait is remembered from when it is decided: until then it may take longer than anything is remembered.
  const waiting = new Map<string | number, Asked>();

  function askFirst(id: string | number, request: Request, signal: AbortSignal | undefined, now: number) {
    const asked: Asked = {
      fingerprint: fingerprintOf(request),
      answering: undefined,
      text: "",
      joined: undefined,
    };
    if (request.verb === "wait") {
      waiting.set(id, asked);
      asked.answering = waited(id, asked, request, signal);
    } else {
      recent.add(id, asked, now);
      asked.answering = answered(id, asked, request, signal);
    }
    return asked.answering;
  }

  async function answered(
    id: string | number,
    asked: Asked,
    request: Request,
    signal: AbortSignal | undefined,
  ): Promise<WrittenAnswer> {
    const answer = await engine.ask(request, signal);
    const text = JSON.stringify(answer);
    if ("error" in answer) recent.forget(id, asked);
    asked.answering = undefined;
    asked.text = text;
    recent.written(text);
    return { answer, text };
  }

  async function waited(
    id: string | number,
    asked: Asked,
    request: Request,
    signal: AbortSignal | undefined,
  ): Promise<WrittenAnswer> {
    const shared = sharedSignal();
    shared.join(signal);
    asked.joined = shared.join;
    const answer = await engine.ask(request, shared.signal);
    const text = JSON.stringify(answer);
    shared.end();
    waiting.delete(id);
    asked.answering = undefined;
    asked.joined = undefined;
    asked.text = text;
    // Who gave up was not counted, and may ask anew.
    const isGivenUp = shared.signal.aborted && "allowed" in answer && !answer.allowed;
    if (!isGivenUp && !("error" in answer)) {
      recent.add(id, asked, clock());
      recent.written(text);
    }
    return { answer, text };
  }

  async function askAgain(
    id: string | number,
    asked: Asked,
    request: Request,
    signal: AbortSignal | undefined,
  ): Promise<WrittenAnswer> {
    if (fingerprintOf(request) !== asked.fingerprint) {
      const error = "another request was asked with this id a short while ago: choose a new one";
      return written({ id, error });
    }
    if (asked.joined?.(signal) === false) {
      await asked.answering;
      return askWritten(request, signal);
    }
    // The text is one that was made of an answer here.
    return asked.answering ?? { answer: JSON.parse(asked.text), text: asked.text };
  }

  function askWritten(request: Request, signal?: AbortSignal): Promise<WrittenAnswer> {
    const { id } = request;
    if (id === undefined) return engine.ask(request, signal).then(written);
    const now = clock();
    const asked = recent.get(id, now) ?? waiting.get(id);
    return asked ? askAgain(id, asked, request, signal) : askFirst(id, request, signal, now);
  }

  return {
    askWritten,
    remembered: recent.size,
    ask: async (request, signal) =>
      request.id === undefined ? engine.ask(request, signal) : (await askWritten(request, signal)).answer,
  };
}

function written(answer: Answer): WrittenAnswer {
  return { answer, text: JSON.stringify(answer) };
}

/** Requests that differ have the same number once in four thousand million times. It need only find mistakes. */
function fingerprintOf({ verb, policy = "", key = "", cost = 1, maxWaitMs = 0, fields }: Request): number {
  const asked = `${verb}\n${policy}\n${cost}\n${maxWaitMs}\n${key}${fields ? JSON.stringify(fields) : ""}`;
  // FNV-1a, of 32 bits.
  let hash = 0x811c9dc5;
  for (let index = 0; index < asked.length; index += 1)
    hash = Math.imul(hash ^ asked.charCodeAt(index), 0x01000193);
  return hash;
}

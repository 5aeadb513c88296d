/**
 * The library's verbs, decided by a limiter service over ZeroMQ.
 *
 * One connection, any number of requests in flight. A request without an answer is sent again under the same id, which
 * the service counts once, also when the connection broke or the service was down meanwhile: the caller only notices
 * that it takes longer.
 */
import { randomBytes } from "node:crypto";
import { type Answers, readAnswer, readMessage, type ServiceDecision, type Verb } from "./client/answers.ts";
import { Connection } from "./client/connection.ts";
import { LimiterServiceError } from "./client/error.ts";
import { InFlight } from "./client/in-flight.ts";
import type { CurveOptions, Zeromq } from "./client/zeromq.ts";
import { curveKeysFrom } from "./curve-keys.ts";
import { requireKnown, requirePositive, requireWhole } from "./settings.ts";
import { unlessAborted } from "./sleep.ts";
import type { Limiter } from "./types.ts";

export type { Answers, ServiceDecision, Verb } from "./client/answers.ts";
export { LimiterServiceError } from "./client/error.ts";
export type { Zeromq } from "./client/zeromq.ts";

export type LimiterClientSettings = {
  /** The package: `import * as zeromq from "zeromq"`. */
  zeromq: Zeromq;
  /** Where the service listens. "tcp://127.0.0.1:7777" unless set. */
  address?: string;
  /**
   * The service's LIMITER_TOKEN; left out when the service has none.
   * With a token the connection is encrypted.
   */
  token?: string | undefined;
  /** How long an answer may take before the request is sent again. Default: 1,000 ms. */
  timeoutMs?: number;
  /**
   * How often a request is sent at most. Default: 10.
   * This times `timeoutMs` is at most 50 seconds, while the service still caches the answer to the id.
   */
  attempts?: number;
};

export type Fields = Record<string, string | number | boolean>;

export type ServiceRequest<V extends Verb> = {
  verb: V;
  /** The default policy when neither this nor `fields` is set. */
  policy?: string | undefined;
  /** The parts of a request that the service's rules read. */
  fields?: Fields | undefined;
  /** The key of the count, of all that the policy counts. */
  key?: string | undefined;
  /** 1 unless set. */
  cost?: number | undefined;
  /** The longest wait that is worth it, in milliseconds. */
  maxWaitMs?: number | undefined;
  /**
   * Abandons the request: the promise rejects with the signal's reason.
   * If it was counted all the same, that is refunded.
   */
  signal?: AbortSignal | undefined;
};

export type LimiterClient = {
  /** The decision of a policy of the service; of the default policy unless named. */
  limiter(policy?: string): Limiter<ServiceDecision>;
  /** Sends any request that the service takes, such as one with fields. */
  request<V extends Verb>(request: ServiceRequest<V>): Promise<Answers[V]>;
  /** All rules that match, each with its decision. Counts nothing. */
  rules(fields: Fields): Promise<ServiceDecision[]>;
  /**
   * Ends the connection, so that the process may end.
   * Requests in flight reject, and may have been counted.
   */
  close(): void;
};

const requestSettings = ["verb", "policy", "fields", "key", "cost", "maxWaitMs", "signal"];

/** The service caches its answers for a minute. */
const longestMs = 50_000;

/** The service ends a connection with more requests in flight. */
const largestRequestBytes = 256 * 1024;

/**
 * Connects to a limiter service, now or as soon as there is one.
 *
 * Requests reject with a `LimiterServiceError` when there is no answer after all attempts, or when the service refuses
 * them: its message gives the remedy.
 *
 * @throws RangeError that names the setting when one is nonsense
 */
export function limiterClient(settings: LimiterClientSettings): LimiterClient {
  requireKnown("limiterClient", settings, ["zeromq", "address", "token", "timeoutMs", "attempts"]);
  const { zeromq, address = "tcp://127.0.0.1:7777", token } = settings;
  const timeoutMs = requirePositive("limiterClient: timeoutMs", settings.timeoutMs ?? 1_000);
  const attempts = requireWhole("limiterClient: attempts", settings.attempts ?? 10);
  if (timeoutMs * attempts > longestMs)
    throw new RangeError(`limiterClient: attempts times timeoutMs must be at most ${longestMs}`);

  const idPrefix = `${randomBytes(12).toString("base64url")}.`;
  let sent = 0;
  let closed = false;
  const connection = new Connection({
    zeromq,
    address,
    keys: token === undefined ? {} : keysFrom(token),
    onConnected: () => inFlight.resendAll(),
    onMessage(body) {
      const message = readMessage(body);
      if (message) inFlight.receive(message);
    },
  });
  const inFlight = new InFlight({ connection, timeoutMs, attempts, failure });

  async function request<V extends Verb>(settings: ServiceRequest<V>): Promise<Answers[V]> {
    requireKnown("request", settings, requestSettings);
    const { verb, policy, fields, key, cost, maxWaitMs, signal } = settings;
    signal?.throwIfAborted();
    if (closed) throw failure(0);
    if (cost !== undefined) requirePositive("cost", cost);
    sent += 1;
    const id = idPrefix + sent;
    const text = JSON.stringify({ id, verb, policy, fields, key, cost, maxWaitMs });
    if (text.length > largestRequestBytes / 3 && new TextEncoder().encode(text).length > largestRequestBytes)
      throw new RangeError(`A request must have at most ${largestRequestBytes} bytes as JSON`);
    const answer = inFlight.send(id, text, maxWaitMs ?? 0);
    if (signal === undefined) return readAnswer(verb, await answer);
    try {
      return readAnswer(verb, await unlessAborted(answer, signal));
    } catch (error) {
      const counts = verb === "consume" || verb === "wait";
      const refund = () => request({ verb: "refund", policy, fields, key, cost });
      if (signal.aborted && counts)
        answer.then(({ allowed }) => (allowed === true ? refund() : undefined)).catch(() => {});
      throw error;
    }
  }

  function failure(afterMs: number): LimiterServiceError {
    if (closed) return new LimiterServiceError("The limiter client is closed");
    return new LimiterServiceError(
      `The limiter service at ${address} has not answered in ${afterMs} ms. ${connection.diagnosis()}`,
    );
  }

  return {
    limiter: (policy) => ({
      consume: (key, cost) => request({ verb: "consume", policy, key, cost }),
      peek: (key, cost) => request({ verb: "peek", policy, key, cost }),
      refund: async (key, cost) => (await request({ verb: "refund", policy, key, cost })).refunded,
      async wait(key, waitSettings) {
        requireKnown("wait", waitSettings, ["cost", "maxWaitMs", "signal"]);
        const { cost, maxWaitMs, signal } = waitSettings;
        if (!(maxWaitMs >= 0)) throw new RangeError(`maxWaitMs must be 0 or more, but is ${maxWaitMs}`);
        return request({ verb: "wait", policy, key, cost, maxWaitMs, signal });
      },
      async reset(key) {
        await request({ verb: "reset", policy, key });
      },
    }),
    request,
    rules: async (fields) => (await request({ verb: "rules", fields })).rules,
    close() {
      closed = true;
      connection.close();
      inFlight.failAll();
    },
  };
}

function keysFrom(token: string): CurveOptions {
  const { server, client } = curveKeysFrom(token);
  return {
    curveServerKey: server.publicKey,
    curvePublicKey: client.publicKey,
    curveSecretKey: client.secretKey,
  };
}

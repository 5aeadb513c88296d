/**
 * Requests in flight.
 * Each is sent again, under the same id, until it is answered or its time is over.
 */
import { Deadlines, Due } from "../stores/redis/deadlines.ts";
import { withResolvers } from "../with-resolvers.ts";
import type { ServiceMessage } from "./answers.ts";
import type { Connection } from "./connection.ts";

type InFlightSettings = {
  connection: Connection;
  timeoutMs: number;
  attempts: number;
  /** The error to reject with after this time without an answer. */
  failure: (afterMs: number) => Error;
};

export class InFlight {
  readonly #settings: InFlightSettings;
  readonly #deadlines: Deadlines;
  readonly #byId = new Map<string, PendingRequest>();

  constructor(settings: InFlightSettings) {
    this.#settings = settings;
    this.#deadlines = new Deadlines(settings.timeoutMs);
  }

  /**
   * `text` is the message, with this id in it.
   * `maxWaitMs` is how long the answer may take when all is well.
   */
  send(id: string, text: string, maxWaitMs: number): Promise<ServiceMessage> {
    const { connection, attempts, timeoutMs } = this.#settings;
    const { promise, resolve, reject } = withResolvers<ServiceMessage>();
    const pending = new PendingRequest(this, {
      id,
      text,
      resolve,
      reject,
      attempts,
      quiet: Math.ceil(maxWaitMs / timeoutMs),
    });
    this.#byId.set(id, pending);
    this.#deadlines.add(pending);
    if (connection.connected) connection.send(text);
    else connection.renewIfStuck();
    return promise;
  }

  /** Only the first answer to a request in flight counts. */
  receive(message: ServiceMessage): void {
    const pending = typeof message.id === "string" ? this.#byId.get(message.id) : undefined;
    if (pending === undefined) return;
    this.#leave(pending);
    pending.resolve(message);
  }

  resendAll(): void {
    for (const { text } of this.#byId.values()) this.#settings.connection.send(text);
  }

  failAll(): void {
    for (const pending of this.#byId.values()) this.#fail(pending);
  }

  overdue(pending: PendingRequest): void {
    const { connection, timeoutMs } = this.#settings;
    pending.waitedMs += timeoutMs;
    this.#deadlines.add(pending);
    if (connection.connected && pending.quietLeft > 0) {
      pending.quietLeft -= 1;
      return;
    }
    pending.quietLeft = pending.quiet;
    pending.attemptsLeft -= 1;
    if (pending.attemptsLeft === 0) this.#fail(pending);
    else if (connection.connected) connection.send(pending.text);
    else connection.renewIfStuck();
  }

  #fail(pending: PendingRequest): void {
    this.#leave(pending);
    pending.reject(this.#settings.failure(pending.waitedMs));
  }

  #leave(pending: PendingRequest): void {
    this.#deadlines.remove(pending);
    this.#byId.delete(pending.id);
  }
}

type PendingRequestSettings = {
  id: string;
  text: string;
  resolve: (message: ServiceMessage) => void;
  reject: (error: Error) => void;
  attempts: number;
  /** How many deadlines may pass before an answer is late. */
  quiet: number;
};

class PendingRequest extends Due {
  readonly #inFlight: InFlight;
  readonly id: string;
  readonly text: string;
  readonly resolve: (message: ServiceMessage) => void;
  readonly reject: (error: Error) => void;
  readonly quiet: number;
  quietLeft: number;
  attemptsLeft: number;
  waitedMs = 0;

  constructor(inFlight: InFlight, { id, text, resolve, reject, attempts, quiet }: PendingRequestSettings) {
    super();
    this.#inFlight = inFlight;
    this.id = id;
    this.text = text;
    this.resolve = resolve;
    this.reject = reject;
    this.attemptsLeft = attempts;
    this.quiet = quiet;
    this.quietLeft = quiet;
  }

  override expire(): void {
    this.#inFlight.overdue(this);
  }
}

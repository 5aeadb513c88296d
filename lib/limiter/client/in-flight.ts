/** What has been asked and not been answered: asked again, under the same id, until it is or there is no more time. */
import { Deadlines, Due } from "../stores/redis/deadlines.ts";
import { withResolvers } from "../with-resolvers.ts";
import type { Message } from "./answers.ts";
import type { Connection } from "./connection.ts";

export type InFlightSettings = {
  connection: Connection;
  timeoutMs: number;
  attempts: number;
  /** What to reject with after so long a time without an answer. */
  failure: (afterMs: number) => Error;
};

export class InFlight {
  readonly #settings: InFlightSettings;
  readonly #deadlines: Deadlines;
  readonly #byId = new Map<string, Asked>();

  constructor(settings: InFlightSettings) {
    this.#settings = settings;
    this.#deadlines = new Deadlines(settings.timeoutMs);
  }

  /** `text` is the message, with this id in it. `maxWaitMs` is how long the answer may take when all is well. */
  ask(id: string, text: string, maxWaitMs: number): Promise<Message> {
    const { connection, attempts, timeoutMs } = this.#settings;
    const { promise, resolve, reject } = withResolvers<Message>();
    const asked = new Asked(this, {
      id,
      text,
      resolve,
      reject,
      attempts,
      quiet: Math.ceil(maxWaitMs / timeoutMs),
    });
    this.#byId.set(id, asked);
    this.#deadlines.add(asked);
    if (connection.connected) connection.send(text);
    else connection.renewIfStuck();
    return promise;
  }

  /** What is not the first answer to something that is under way is nobody's any more. */
  heard(message: Message): void {
    const asked = typeof message.id === "string" ? this.#byId.get(message.id) : undefined;
    if (asked === undefined) return;
    this.#leave(asked);
    asked.resolve(message);
  }

  askAllAgain(): void {
    for (const { text } of this.#byId.values()) this.#settings.connection.send(text);
  }

  failAll(): void {
    for (const asked of this.#byId.values()) this.#fail(asked);
  }

  overdue(asked: Asked): void {
    const { connection, timeoutMs } = this.#settings;
    asked.waitedMs += timeoutMs;
    this.#deadlines.add(asked);
    if (connection.connected && asked.quietLeft > 0) {
      asked.quietLeft -= 1;
      return;
    }
    asked.quietLeft = asked.quiet;
    asked.attemptsLeft -= 1;
    if (asked.attemptsLeft === 0) this.#fail(asked);
    else if (connection.connected) connection.send(asked.text);
    else connection.renewIfStuck();
  }

  #fail(asked: Asked): void {
    this.#leave(asked);
    asked.reject(this.#settings.failure(asked.waitedMs));
  }

  #leave(asked: Asked): void {
    this.#deadlines.remove(asked);
    this.#byId.delete(asked.id);
  }
}

type AskedSettings = {
  id: string;
  text: string;
  resolve: (message: Message) => void;
  reject: (error: Error) => void;
  attempts: number;
  /** How many deadlines may pass before an answer is late. */
  quiet: number;
};

class Asked extends Due {
  readonly #inFlight: InFlight;
  readonly id: string;
  readonly text: string;
  readonly resolve: (message: Message) => void;
  readonly reject: (error: Error) => void;
  readonly quiet: number;
  quietLeft: number;
  attemptsLeft: number;
  waitedMs = 0;

  constructor(inFlight: InFlight, { id, text, resolve, reject, attempts, quiet }: AskedSettings) {
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

/**
 * Where messages come, whichever way, and are answered: asked in the order in which they arrive, answered as they are
 * decided, so that nobody waits for another.
 */
import { setImmediate as turn } from "node:timers/promises";
import type { RepeatedRequests } from "../repeated-requests.ts";
import { answerTo, textIn } from "../wire.ts";
import { envelopeIn, isEnvelope } from "./envelope.ts";

/** Who is to have an answer. */
export interface Client {
  /** Aborts when it has gone and wants no answer any more; undefined when nobody can tell. */
  readonly gone?: AbortSignal | undefined;
  /** Never waits and never throws: nobody may be there any more. `frames` are those that came before the body. */
  reply(frames: readonly Buffer[], answer: string): void;
}

/** A message: the frames before the last, and where the last one is. */
export type Take = (
  client: Client,
  frames: readonly Buffer[],
  bytes: Buffer,
  start: number,
  end: number,
) => void;

/** What may be under way at a time, in messages and in bytes of them; more is refused. */
const inFlightMaximum = 20_000;
const inFlightMaximumBytes = 64 * 1024 * 1024;

const busy = JSON.stringify({ error: "Too much is under way here: ask again in a moment." });
const shapeless = JSON.stringify({
  error: "A message has one body: send it in one frame, alone or after an empty one.",
});
const failed = JSON.stringify({ error: "The limiter could not decide this: ask again." });

/** `report` is told what nobody expected. */
export function createDesk(engine: RepeatedRequests, report: (error: unknown) => void) {
  const stop = new AbortController();
  let inFlight = 0;
  let inFlightBytes = 0;
  let isOpen = true;

  const take: Take = (client, frames, bytes, start, end) => {
    if (!isOpen) return;
    if (!isEnvelope(frames)) {
      client.reply(envelopeIn(frames), shapeless);
      return;
    }
    let length = end - start;
    for (const frame of frames) length += frame.length;
    if (inFlight >= inFlightMaximum || inFlightBytes + length > inFlightMaximumBytes) {
      client.reply(frames, busy);
      return;
    }
    inFlight += 1;
    inFlightBytes += length;
    const settle = (answer: string) => {
      inFlight -= 1;
      inFlightBytes -= length;
      client.reply(frames, answer);
    };
    answerTo(textIn(bytes, start, end), engine, client.gone ?? stop.signal).then(settle, (error: unknown) => {
      report(error);
      settle(failed);
    });
  };

  return {
    take,
    /** Aborts when nobody who waits can wait any longer. */
    stopping: stop.signal,
    /** Takes nothing more, has those who wait answered at once, and resolves when all have been, or after so long. */
    async close(withinMs: number): Promise<void> {
      isOpen = false;
      stop.abort();
      const giveUpAt = performance.now() + withinMs;
      while (inFlight > 0 && performance.now() < giveUpAt) await turn();
    },
  };
}

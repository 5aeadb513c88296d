/**
 * Passes messages to the engine in the order of their arrival.
 * Each is answered as soon as it is decided.
 */
import { setImmediate as turn } from "node:timers/promises";
import { answerTo } from "../codec.ts";
import type { IdempotentEngine } from "../idempotency.ts";

/** Messages that may be in flight at a time, and their bytes; more are refused. */
const inFlightMaximum = 20_000;
const inFlightMaximumBytes = 64 * 1024 * 1024;

const busy = JSON.stringify({ error: "Too much is in flight here: try again in a moment." });
const shapeless = JSON.stringify({
  error: "A message has one body: send it in one frame, alone or after an empty one.",
});
const failed = JSON.stringify({ error: "The limiter could not decide this: try again." });

/**
 * The maximum size of an envelope, without the client's address.
 * Each answer contains it, and libzmq bounds the number of the unread answers that it keeps, not their bytes.
 */
export const envelopeMaximum = { frames: 8, bytes: 1_024 };

export type Frames = (Buffer | string)[];

interface DispatcherSettings {
  /** Never waits and never throws. */
  send: (frames: Frames) => void;
  /** Gets unexpected errors. */
  report: (error: unknown) => void;
  /** A message was dropped because of its large envelope. */
  onDropped: () => void;
}

export function createDispatcher(engine: IdempotentEngine, { send, report, onDropped }: DispatcherSettings) {
  const stop = new AbortController();
  let inFlight = 0;
  let inFlightBytes = 0;

  return {
    /** `frames`: the client's address, the envelope before the body, and the body. */
    dispatch(frames: Buffer[]): void {
      const body = frames.pop();
      if (!body) return;
      const isWellFormed = isEnvelope(frames);
      const returned = isWellFormed ? frames : returnableFrames(frames);
      const envelopeBytes = bytesFrom(returned, 1);
      if (envelopeBytes > envelopeMaximum.bytes || returned.length - 1 > envelopeMaximum.frames) {
        onDropped();
        return;
      }
      if (!isWellFormed) {
        send([...returned, shapeless]);
        return;
      }
      const bytes = body.length + envelopeBytes;
      if (inFlight >= inFlightMaximum || inFlightBytes + bytes > inFlightMaximumBytes) {
        send([...frames, busy]);
        return;
      }
      const answer = answerTo(body, engine, stop.signal);
      if (!(answer instanceof Promise)) {
        send([...frames, answer.text]);
        return;
      }
      inFlight += 1;
      inFlightBytes += bytes;
      const settle = ({ text }: { text: string }) => {
        inFlight -= 1;
        inFlightBytes -= bytes;
        send([...frames, text]);
      };
      answer.then(settle, (error: unknown) => {
        report(error);
        settle({ text: failed });
      });
    },
    /** Answers all waiting requests, and those that still come, at once. */
    stopWaiting: () => stop.abort(),
    /** Resolves when all messages are answered, or after so long. */
    async settled(withinMs: number): Promise<void> {
      const giveUpAt = performance.now() + withinMs;
      while (inFlight > 0 && performance.now() < giveUpAt) await turn();
    },
  };
}

/**
 * Whether the frames after the client's address may stand before one body.
 * None, or any that end with the first empty one. REQ sockets put an empty frame there, and proxies put addresses
 * before that; a DEALER may send neither.
 */
function isEnvelope(frames: readonly Buffer[]): boolean {
  if (frames.length === 2) return frames[1]?.length === 0;
  return frames.length < 2 || delimiterIn(frames) === frames.length - 1;
}

/** The address, and as much of an envelope as can stand before an answer. */
function returnableFrames(frames: readonly Buffer[]): readonly Buffer[] {
  return frames.slice(0, Math.max(1, delimiterIn(frames) + 1));
}

/** The bytes of frames, from the one at this index on. */
export function bytesFrom(frames: readonly Buffer[], start: number): number {
  let bytes = 0;
  for (let index = start; index < frames.length; index += 1) bytes += frames[index]?.length ?? 0;
  return bytes;
}

function delimiterIn(frames: readonly Buffer[]): number {
  return frames.findIndex((frame, index) => index > 0 && frame.length === 0);
}

/**
 * The service over ZeroMQ: a ROUTER that plain REQ clients of any language ask.
 *
 * Messages are asked in the order in which they arrive and answered as they are decided. What a client can make the service
 * keep is bounded: see the numbers here and in `zeromq/socket.ts`.
 */
import { setImmediate as turn } from "node:timers/promises";
import type { Router } from "zeromq";
import type { Engine } from "./messages.ts";
import { answerTo } from "./wire.ts";
import { takeBody } from "./zeromq/envelope.ts";
import { openRouter } from "./zeromq/socket.ts";

export interface Listener {
  /** Where it listens, with the port that was chosen for 0. */
  address: string;
  /** Takes nothing new, answers what is in flight, and resolves when that is done. */
  close(): Promise<void>;
}

export interface ZeromqSettings {
  /** Only who has it may ask (CURVE). Without one, everybody who reaches the address. */
  token?: string | undefined;
  /** Is told what nobody expected. */
  report?: (error: unknown) => void;
}

/** What may be under way at a time, in messages and in bytes of their bodies; more is refused. */
const inFlightMaximum = 20_000;
const inFlightMaximumBytes = 64 * 1024 * 1024;

// What close() gives others: to be read, and to be decided.
const drainWithinMs = 1_000;
const answerWithinMs = 5_000;

const busy = JSON.stringify({ error: "Too much is under way here: ask again in a moment." });
const shapeless = JSON.stringify({
  error: "A message has one body: send it in one frame, alone or after an empty one.",
});
const failed = JSON.stringify({ error: "The limiter could not decide this: ask again." });

/** Listens on an address of ZeroMQ's, `tcp://127.0.0.1:7777`. Rejects when it cannot. */
export async function listenOnZeromq(
  address: string,
  engine: Engine,
  { token, report = console.error }: ZeromqSettings = {},
): Promise<Listener> {
  const { router, release } = await openRouter(address, token);
  const stop = new AbortController();
  let inFlight = 0;
  let inFlightBytes = 0;
  let open = true;
  let taking = true;

  function take(frames: Buffer[]): void {
    const body = takeBody(frames);
    if (body === undefined) {
      reply(frames, shapeless);
      return;
    }
    const bytes = body.length;
    if (inFlight >= inFlightMaximum || inFlightBytes + bytes > inFlightMaximumBytes) {
      reply(frames, busy);
      return;
    }
    inFlight += 1;
    inFlightBytes += bytes;
    const settle = (answer: string) => {
      inFlight -= 1;
      inFlightBytes -= bytes;
      reply(frames, answer);
    };
    answerTo(body, engine, stop.signal).then(settle, (error: unknown) => {
      report(error);
      settle(failed);
    });
  }

  /** Never waits: with a send timeout of 0, ZeroMQ takes the answer or drops it, for a client that has gone or does not read. */
  function reply(envelope: Buffer[], answer: string): void {
    if (open) router.send([...envelope, answer]).catch(report);
  }

  const serving = serve(router, (frames) => {
    if (taking) take(frames);
  });
  serving.catch(report);

  async function close(): Promise<void> {
    const startedAt = performance.now();
    const hasTime = (ms: number) => performance.now() - startedAt < ms;
    while (router.readable && hasTime(drainWithinMs)) await turn();
    taking = false;
    stop.abort();
    while (inFlight > 0 && hasTime(answerWithinMs)) await turn();
    open = false;
    router.close();
    release();
    await serving;
  }
  let closed: Promise<void> | undefined;
  return {
    address: router.lastEndpoint ?? address,
    close() {
      closed ??= close();
      return closed;
    },
  };
}

async function serve(router: Router, take: (frames: Buffer[]) => void): Promise<void> {
  for await (const frames of router) take(frames);
}

/**
 * The service over ZeroMQ.
 * A ROUTER of libzmq's, for REQ and DEALER clients of any language.
 */
import { setTimeout as sleep, setImmediate as turn } from "node:timers/promises";
import { Context, Router } from "zeromq";
import { errorCode } from "../db/error-code.ts";
import type { IdempotentEngine } from "./idempotency.ts";
import type { Listener } from "./listener.ts";
import { authenticate, serverSecurity } from "./zeromq/authentication.ts";
import { bytesFrom, createDispatcher, type Frames } from "./zeromq/dispatcher.ts";
import { createOutbox } from "./zeromq/outbox.ts";

interface ZeromqSettings {
  /**
   * The token that clients need; connections are then encrypted (CURVE).
   * Without a token, all clients on this machine may connect.
   */
  token?: string | undefined;
  /** Gets unexpected errors. */
  report?: (error: unknown) => void;
  /** A message was dropped because of its large envelope (`envelopeMaximum`). */
  onDropped?: () => void;
  /** An answer was dropped because its client does not read (`unreadBounds`). */
  onUnread?: () => void;
  bounds?: Partial<typeof usualBounds>;
  unread?: typeof unreadBounds;
}

export const frameMaximumBytes = 256 * 1024;

/**
 * Limits that libzmq applies.
 * It cannot limit the frames of a message whose last frame has not come.
 */
const usualBounds = {
  /** A longer frame closes the connection. */
  maxMessageSize: frameMaximumBytes,
  /**
   * No limit, because of a bug in libzmq 4.3.5.
   * It aborts the process when it answers a heartbeat on a connection that it has stopped reading and that has broken
   * meanwhile (https://github.com/zeromq/libzmq/pull/4852).
   */
  receiveHighWaterMark: 0,
  /**
   * The maximum number of answers that libzmq keeps for one client.
   * The next ones are kept in the outbox, which counts bytes. It is as large as a batch, so that a client that reads
   * at once seldom has an answer there.
   */
  sendHighWaterMark: 256,
  handshakeInterval: 10_000,
  /** A client that has vanished without a word is noticed. */
  heartbeatInterval: 10_000,
  heartbeatTimeout: 30_000,
  backlog: 1_024,
};
/** The bounds of the outbox. */
const unreadBounds = { maximumBytes: 64 * 1024 * 1024, maximumBytesPerClient: 8 * 1024 * 1024 };
/** The maximum number of messages received before other work gets its turn. */
const batchMaximum = 256;
/**
 * A batch also ends at this size.
 * Its messages are not counted as in flight before they are decided.
 */
const batchMaximumBytes = 1024 * 1024;
/** The memory of a frame beside its bytes. */
const frameOverheadBytes = 250;
/** How long answers are kept for a client that does not read them, after the end. */
const lingerMs = 1_000;
const pollMs = 5;
/** How long a request that is on its way may take to arrive, when the service ends. */
const graceMs = 200;
/**
 * Requests are received until none came in so many turns of the event loop.
 * The binding may let two pass between batches that have arrived.
 */
const quietTurns = 3;
/** The maximum time in which requests are received when the service ends. */
const receiveWithinMs = 5_000;
/** The maximum time, after that, in which those in flight are answered. */
const settleWithinMs = 3_000;

/** Listens on an address such as `tcp://127.0.0.1:7777`. Rejects when it cannot. */
export async function listenOnZeromq(
  address: string,
  engine: IdempotentEngine,
  {
    token,
    report = console.error,
    onDropped = () => {},
    onUnread = () => {},
    bounds,
    unread = unreadBounds,
  }: ZeromqSettings = {},
): Promise<Listener> {
  // A context has one handler that authenticates; another part of the process may have one in the default context.
  const context = new Context();
  const endAuthentication = await authenticate(context, token);
  const router = new Router({
    ...usualBounds,
    ...bounds,
    ...serverSecurity(token),
    context,
    ipv6: address.includes("["),
    // An answer that libzmq cannot take is rejected at once, for the outbox.
    mandatory: true,
    sendTimeout: 0,
    linger: lingerMs,
  });
  const outbox = createOutbox(router, { ...unread, report, onDropped: onUnread });
  let answers: Frames[] = [];
  const dispatcher = createDispatcher(engine, {
    // Answers are sent together when all messages that have arrived are decided: each alone would wake libzmq's thread.
    send(frames) {
      if (answers.push(frames) === 1) process.nextTick(flush);
    },
    report,
    onDropped,
  });

  function flush(): void {
    const ready = answers;
    answers = [];
    if (!router.closed) for (const frames of ready) outbox.send(frames);
  }

  try {
    await router.bind(address);
  } catch (error) {
    router.close();
    endAuthentication();
    throw error;
  }
  let isReceiving = true;
  /** Counted while it closes: the turns of the event loop since the last batch. */
  let turnsSinceBatch = 0;
  const serving = serve().catch(report);

  async function serve(): Promise<void> {
    try {
      for (;;) {
        // To alternate between receiving and deciding takes an eighth longer, presumably because each evicts the
        // other's code from the processor's caches.
        const batch = await receiveBatch();
        if (!isReceiving) return;
        for (const frames of batch) dispatcher.dispatch(frames);
        // The answers are sent first: while a receive is pending, each send would poll for messages.
        await turn();
      }
    } catch (error) {
      // The receive that is pending when the socket is closed fails.
      if (!router.closed) throw error;
    }
  }

  /**
   * Waits for a message and receives it with others that have arrived.
   * Checking for one costs two system calls.
   */
  async function receiveBatch(): Promise<Buffer[][]> {
    router.receiveTimeout = -1;
    const first = await router.receive();
    turnsSinceBatch = 0;
    const batch = [first];
    let bytes = memoryOf(first);
    router.receiveTimeout = 0;
    try {
      while (batch.length < batchMaximum && bytes < batchMaximumBytes) {
        const frames = await router.receive();
        batch.push(frames);
        bytes += memoryOf(frames);
      }
    } catch (error) {
      if (errorCode(error) !== "EAGAIN") throw error;
    }
    return batch;
  }

  async function close(): Promise<void> {
    dispatcher.stopWaiting();
    const giveUpAt = performance.now() + receiveWithinMs;
    // To unbind would end the connections, too.
    await sleep(graceMs);
    // Not until `readable` is false: to read it takes away the notification that wakes the pending receive.
    while (turnsSinceBatch < quietTurns && performance.now() < giveUpAt) {
      turnsSinceBatch += 1;
      await turn();
    }
    isReceiving = false;
    await dispatcher.settled(settleWithinMs);
    const keepUntil = performance.now() + lingerMs;
    while (outbox.keptBytes() > 0 && performance.now() < keepUntil) await sleep(pollMs);
    outbox.close();
    router.close();
    endAuthentication();
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

function memoryOf(frames: readonly Buffer[]): number {
  return bytesFrom(frames, 0) + frames.length * frameOverheadBytes;
}

/**
 * Answers that libzmq does not take, as their client has not read earlier ones.
 * libzmq bounds its own queue for each client by the number of messages; this one is bounded by bytes.
 */
import type { Router } from "zeromq";
import { errorCode } from "../../db/error-code.ts";
import type { Frames } from "./dispatcher.ts";

interface OutboxSettings {
  /** The maximum of all kept answers, and of those of one client. */
  maximumBytes: number;
  maximumBytesPerClient: number;
  /** Gets unexpected errors. */
  report: (error: unknown) => void;
  /** An answer was dropped, because too many bytes are unread. */
  onDropped: () => void;
}

interface ClientQueue {
  answers: { frames: Frames; bytes: number }[];
  bytes: number;
}

/** The memory of an answer beside its bytes. */
const overheadBytes = 200;
/** The pause between attempts to send; doubles while no client reads. */
const pauseMs = { shortest: 1, longest: 100 };
/** Attempts take a tenth of the time at most, however many clients do not read. */
const pausePerAttempt = 9;

/**
 * The outbox of a router that rejects an answer when it cannot take it.
 * That is one with `mandatory` and a send timeout of 0.
 */
export function createOutbox(
  router: Pick<Router, "send" | "closed">,
  { maximumBytes, maximumBytesPerClient, report, onDropped }: OutboxSettings,
) {
  const queues = new Map<string, ClientQueue>();
  let bytesOfAll = 0;
  let pause = pauseMs.shortest;
  let next: NodeJS.Timeout | undefined;

  function keep(frames: Frames): void {
    const client = clientOf(frames);
    const queue = queues.get(client) ?? { answers: [], bytes: 0 };
    const bytes = bytesOf(frames);
    if (queue.bytes + bytes > maximumBytesPerClient || bytesOfAll + bytes > maximumBytes) {
      onDropped();
      return;
    }
    queue.answers.push({ frames, bytes });
    queue.bytes += bytes;
    bytesOfAll += bytes;
    queues.set(client, queue);
    next ??= setTimeout(sendKept, pause);
  }

  function forget(client: string, { bytes }: ClientQueue): void {
    queues.delete(client);
    bytesOfAll -= bytes;
  }

  async function sendKept(): Promise<void> {
    const startedAt = performance.now();
    let isProgress = false;
    for (const [client, queue] of queues) {
      const sent = await sendSome(client, queue);
      isProgress ||= sent;
    }
    pause = isProgress ? pauseMs.shortest : Math.min(2 * pause, pauseMs.longest);
    const tookMs = performance.now() - startedAt;
    next = queues.size === 0 ? undefined : setTimeout(sendKept, Math.max(pause, pausePerAttempt * tookMs));
  }

  /** Sends a client's answers until libzmq takes no more; whether it took one. */
  async function sendSome(client: string, queue: ClientQueue): Promise<boolean> {
    let count = 0;
    try {
      for (const { frames, bytes } of queue.answers) {
        if (router.closed) break;
        await router.send(frames);
        count += 1;
        queue.bytes -= bytes;
        bytesOfAll -= bytes;
      }
    } catch (error) {
      if (!isFull(error)) {
        forget(client, queue);
        if (!isGone(error)) report(error);
        return true;
      }
    }
    queue.answers.splice(0, count);
    if (queue.answers.length === 0) forget(client, queue);
    return count > 0;
  }

  return {
    /** Never waits and never throws. `frames` begin with the client's address. */
    send(frames: Frames): void {
      if (queues.size > 0 && queues.has(clientOf(frames))) {
        keep(frames);
        return;
      }
      router.send(frames).catch((error: unknown) => {
        if (isFull(error)) keep(frames);
        else if (!isGone(error)) report(error);
      });
    },
    /** The bytes of the kept answers. */
    keptBytes: () => bytesOfAll,
    close(): void {
      clearTimeout(next);
    },
  };
}

function clientOf([address = ""]: Frames): string {
  return typeof address === "string" ? address : address.toString("latin1");
}

function bytesOf(frames: Frames): number {
  return frames.reduce((sum, frame) => sum + Buffer.byteLength(frame), overheadBytes);
}

/** The client has not read earlier answers. */
function isFull(error: unknown): boolean {
  return errorCode(error) === "EAGAIN";
}

/** The client is not connected any more. */
function isGone(error: unknown): boolean {
  return errorCode(error) === "EHOSTUNREACH";
}

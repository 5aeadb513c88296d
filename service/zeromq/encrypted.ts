/** The listener with a token: a ROUTER of libzmq's that encrypts (CURVE), and lets in only those who have the token as well. */
import { setImmediate as turn } from "node:timers/promises";
import { Context, Router } from "zeromq";
import { curveKeysFrom } from "../../lib/limiter/curve-keys.ts";
import { admitOnly, curveServer } from "./admission.ts";
import type { Client, Take } from "./desk.ts";
import type { Door } from "./plain.ts";

const bounds = {
  /** No frame may be longer, in bytes; a longer one closes the connection. */
  maxMessageSize: 256 * 1024,
  /** Messages of one client that have not been taken yet; then it has to wait. */
  receiveHighWaterMark: 1_000,
  /** Answers that one client has not read; further ones are dropped. */
  sendHighWaterMark: 1_000,
  /** A send never waits. */
  sendTimeout: 0,
  /** How long answers are kept for a client that does not read them, when all is over. */
  linger: 1_000,
  handshakeInterval: 10_000,
  /** A peer that has vanished without a word is noticed. */
  heartbeatInterval: 10_000,
  heartbeatTimeout: 30_000,
  backlog: 1_024,
};

const drainWithinMs = 1_000;

/** Listens on an address of ZeroMQ's, `tcp://*:7777`. Rejects when it cannot. `report` is told what nobody expected. */
export async function openEncrypted(
  address: string,
  { token, take, report }: { token: string; take: Take; report: (error: unknown) => void },
): Promise<Door> {
  const { server, client } = curveKeysFrom(token);
  // Who is let in is asked in one place for all of a context, and others may have theirs in the common one.
  const context = new Context();
  const release = await admitOnly(client.publicKey, context);
  const router = new Router({
    ...bounds,
    context,
    ...curveServer(server),
  });
  try {
    await router.bind(address);
  } catch (error) {
    router.close();
    release();
    throw error;
  }
  const serving = serve(router, take, report).catch(report);
  return {
    address: router.lastEndpoint ?? address,
    async drain() {
      const giveUpAt = performance.now() + drainWithinMs;
      // To unbind would break off the connections, too.
      while (router.readable && performance.now() < giveUpAt) await turn();
    },
    async close() {
      router.close();
      release();
      await serving;
    },
  };
}

async function serve(router: Router, take: Take, report: (error: unknown) => void): Promise<void> {
  for await (const [address, ...frames] of router) {
    const body = frames.pop();
    if (address && body) take(clientAt(router, address, report), frames, body, 0, body.length);
  }
}

function clientAt(router: Router, address: Buffer, report: (error: unknown) => void): Client {
  return {
    // ZeroMQ takes it, or drops it when the client has gone or does not read.
    reply(frames, answer) {
      if (!router.closed) router.send([address, ...frames, answer]).catch(report);
    },
  };
}

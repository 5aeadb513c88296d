/** The socket that the service listens with, and what it allows its peers. */
import { Context, Router } from "zeromq";
import { curveKeysFrom } from "../../lib/limiter/curve-keys.ts";
import { admitOnly } from "./admission.ts";

/** No frame may be longer, in bytes; a longer one closes the connection. */
export const frameMaximumBytes = 256 * 1024;

const bounds = {
  maxMessageSize: frameMaximumBytes,
  /** Messages from one client that nobody has read yet; then the client has to wait. */
  receiveHighWaterMark: 1_000,
  /** Answers that one client has not read; then further ones are dropped. */
  sendHighWaterMark: 1_000,
  /** A send never waits. */
  sendTimeout: 0,
  /** How long answers are kept for a client that does not read them, when all is over. */
  linger: 1_000,
  /** Whoever has not said by then that they speak ZeroMQ is shown the door. */
  handshakeInterval: 10_000,
  /** A peer that has vanished without a word is noticed. */
  heartbeatInterval: 10_000,
  heartbeatTimeout: 30_000,
  backlog: 1_024,
};

export interface OpenRouter {
  router: Router;
  /** To be called when the socket is closed. */
  release: () => void;
}

/** With a token, only those get in who have it. Rejects when the address cannot be had. */
export async function openRouter(address: string, token?: string): Promise<OpenRouter> {
  let release = () => {};
  let router: Router;
  if (token === undefined) {
    router = new Router(bounds);
  } else {
    // Who is let in is asked once for all of a context, and others may have theirs in the common one.
    const context = new Context();
    const { server, client } = curveKeysFrom(token);
    release = await admitOnly(client.publicKey, context);
    router = new Router({
      ...bounds,
      context,
      curveServer: true,
      curveSecretKey: server.secretKey,
      zapDomain: "limiter",
      zapEnforceDomain: true,
    });
  }
  try {
    await router.bind(address);
  } catch (error) {
    router.close();
    release();
    throw error;
  }
  return { router, release };
}

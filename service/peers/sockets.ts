/** The sockets between services: one that tells all who listen, and one that hears all others. */
import { Context, Publisher, Subscriber } from "zeromq";
import { curveKeysFrom } from "../../lib/limiter/curve-keys.ts";
import { admitOnly, curveServer } from "../zeromq/admission.ts";
import type { PeersSettings } from "./settings.ts";

// What a peer has not taken by then is dropped, in messages.
const unreadMaximum = 10_000;
const messageMaximumBytes = 8 * 1024 * 1024;
const socketOptions = {
  maxMessageSize: messageMaximumBytes,
  handshakeInterval: 10_000,
  // A peer that has vanished without a word is noticed, and connected to again.
  heartbeatInterval: 1_000,
  heartbeatTimeout: 5_000,
};

/**
 * With a token only who has it is let in, and believed. `release` is to be called when both are closed. Rejects when the
 * address to publish on cannot be had.
 */
export async function openSockets({ publish, subscribe }: PeersSettings, token: string | undefined) {
  // Who is let in is asked once for all of a context, and others may have theirs in the common one.
  const context = new Context();
  const keys = token === undefined ? undefined : curveKeysFrom(token);
  const release = keys ? await admitOnly(keys.client.publicKey, context) : () => {};
  const publisher = new Publisher({
    ...socketOptions,
    context,
    sendHighWaterMark: unreadMaximum,
    sendTimeout: 0,
    linger: 1_000,
    ...(keys && curveServer(keys.server)),
  });
  const subscriber = new Subscriber({
    ...socketOptions,
    context,
    receiveHighWaterMark: unreadMaximum,
    reconnectInterval: 100,
    reconnectMaxInterval: 1_000,
    ...(keys && {
      curveServerKey: keys.server.publicKey,
      curvePublicKey: keys.client.publicKey,
      curveSecretKey: keys.client.secretKey,
    }),
  });
  try {
    await publisher.bind(publish.address);
    subscriber.subscribe();
    for (const { address } of subscribe) subscriber.connect(address);
  } catch (error) {
    publisher.close();
    subscriber.close();
    release();
    throw error;
  }
  return { publisher, subscriber, release };
}

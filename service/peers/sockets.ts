/** The sockets between services: one publishes, one subscribes to all others. */
import { Context, Publisher, Subscriber } from "zeromq";
import { authenticate, clientSecurity, serverSecurity } from "../zeromq/authentication.ts";
import type { PeersSettings } from "./settings.ts";

// The number of unread messages of a peer from which on further ones are dropped.
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
 * With a token, all is encrypted and only services that have it are connected.
 * `release` is to be called when both are closed. Rejects when the address to publish on is not available.
 */
export async function openSockets({ publish, subscribe }: PeersSettings, token: string | undefined) {
  // A context has one handler that authenticates; another part of the process may have one in the default context.
  const context = new Context();
  const release = await authenticate(context, token);
  const publisher = new Publisher({
    ...socketOptions,
    context,
    sendHighWaterMark: unreadMaximum,
    sendTimeout: 0,
    linger: 1_000,
    ...serverSecurity(token),
  });
  const subscriber = new Subscriber({
    ...socketOptions,
    context,
    // No bound: see the server's.
    receiveHighWaterMark: 0,
    reconnectInterval: 100,
    reconnectMaxInterval: 1_000,
    ...clientSecurity(token),
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

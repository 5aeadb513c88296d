/** A client that says over TCP whatever a test wants a ZeroMQ server to hear. */
import type { Socket } from "node:net";
import { command, flag, frame, frameHeadAt, greeting, greetingBytes } from "../service/zeromq/zmtp.ts";
import { openConnection } from "./raw-connection.ts";

export interface RawClient {
  socket: Socket;
  send(...pieces: (Uint8Array | string)[]): void;
  /** The frames that have come so far, without commands and their heads. */
  frames(): Buffer[];
  /** Resolves when so many have come, or the connection is closed. */
  received(count: number): Promise<Buffer[]>;
  /** Resolves when the server has ended the connection. */
  closed: Promise<void>;
}

/** What a DEALER says to begin with. */
export const dealerReady = command(
  "READY",
  Buffer.concat([Buffer.from("\x0bSocket-Type\0\0\0\x06DEALER", "latin1")]),
);

/** Connects, and says nothing. */
export async function connectRaw(address: string): Promise<RawClient> {
  const { hostname, port } = new URL(address);
  const { socket, received, until, closed } = await openConnection(Number(port), hostname);
  const frames = () => framesIn(received());
  return {
    socket,
    send(...pieces) {
      for (const piece of pieces) if (!socket.destroyed) socket.write(piece);
    },
    frames,
    async received(count) {
      await until(() => frames().length >= count);
      return frames();
    },
    closed,
  };
}

/** Connects, and is a DEALER. */
export async function connectDealer(address: string): Promise<RawClient> {
  const client = await connectRaw(address);
  client.send(greeting, dealerReady);
  return client;
}

/** One part of a message. */
export function part(content: string | Uint8Array, { more = false } = {}): Buffer {
  return frame(more ? flag.more : 0, Buffer.from(content));
}

/** What stands before a part of so many bytes. */
export function longHead(bytes: bigint, flags = 0): Buffer {
  const head = Buffer.alloc(9);
  head[0] = flags | flag.long;
  head.writeBigUInt64BE(bytes, 1);
  return head;
}

function framesIn(bytes: Buffer): Buffer[] {
  const frames: Buffer[] = [];
  for (let offset = greetingBytes; ; ) {
    const head = frameHeadAt(bytes, offset, bytes.length);
    if (head === undefined || head.end > bytes.length) return frames;
    if ((head.flags & flag.command) === 0) frames.push(bytes.subarray(head.start, head.end));
    offset = head.end;
  }
}

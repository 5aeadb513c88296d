/** A TCP client that sends any bytes to a ZeroMQ server. */
import type { Socket } from "node:net";
import { openConnection } from "./raw-connection.ts";

export interface RawClient {
  socket: Socket;
  send(...pieces: (Uint8Array | string)[]): void;
  /** The frames that have come so far, without commands and their heads. */
  frames(): Buffer[];
  /** Resolves when this many have come, or the connection is closed. */
  received(count: number): Promise<Buffer[]>;
  /** Resolves when the server has reported that it is ready, or disconnects. */
  ready(): Promise<void>;
  /** Resolves when the server has ended the connection. */
  closed: Promise<void>;
}

// ZMTP 3.1 with the NULL mechanism (https://rfc.zeromq.org/spec/37): the first bytes of each side.
const greetingBytes = 64;
export const greeting = Buffer.alloc(greetingBytes);
greeting.set([0xff, 0, 0, 0, 0, 0, 0, 0, 1, 0x7f, 3, 1]);
greeting.write("NULL", 12);

export const flag = { more: 1, long: 2, command: 4 } as const;

/** The greeting and handshake of a DEALER. */
export const dealerReady = command(
  "READY",
  Buffer.concat([Buffer.from("\x0bSocket-Type\0\0\0\x06DEALER", "latin1")]),
);

/** Connects, and sends nothing. */
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
    ready: () => until(() => received().includes("\x05READY", greetingBytes, "latin1")),
    async received(count) {
      await until(() => frames().length >= count);
      return frames();
    },
    closed,
  };
}

/**
 * Connects as a DEALER.
 * Resolves when the server is ready too: earlier messages may break off the handshake.
 */
export async function connectDealer(address: string): Promise<RawClient> {
  const client = await connectRaw(address);
  client.send(greeting, dealerReady);
  await client.ready();
  return client;
}

/** One part of a message. */
export function part(content: string | Uint8Array, { more = false } = {}): Buffer {
  return frame(more ? flag.more : 0, Buffer.from(content));
}

/** The header of a part of this many bytes. */
export function longHead(bytes: bigint, flags = 0): Buffer {
  const head = Buffer.alloc(9);
  head[0] = flags | flag.long;
  head.writeBigUInt64BE(bytes, 1);
  return head;
}

/** A command: its name and its data. */
export function command(name: string, content: Uint8Array = new Uint8Array()): Buffer {
  return frame(flag.command, Buffer.concat([Buffer.from([name.length]), Buffer.from(name), content]));
}

function frame(flags: number, content: Buffer): Buffer {
  const head =
    content.length < 256 ? Buffer.from([flags, content.length]) : longHead(BigInt(content.length), flags);
  return Buffer.concat([head, content]);
}

function framesIn(bytes: Buffer): Buffer[] {
  const frames: Buffer[] = [];
  for (let offset = greetingBytes; offset + 2 <= bytes.length; ) {
    const flags = bytes[offset] ?? 0;
    const isLong = (flags & flag.long) !== 0;
    if (isLong && offset + 9 > bytes.length) break;
    const start = offset + (isLong ? 9 : 2);
    const end = start + (isLong ? Number(bytes.readBigUInt64BE(offset + 1)) : (bytes[offset + 1] ?? 0));
    if (end > bytes.length) break;
    if ((flags & flag.command) === 0) frames.push(bytes.subarray(start, end));
    offset = end;
  }
  return frames;
}

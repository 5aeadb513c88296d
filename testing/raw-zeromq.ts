/** A client that says over TCP whatever a test wants a ZeroMQ server to hear, and a glance at a process's memory. */
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { command, flag, frame, frameHeadAt, greeting, greetingBytes } from "../service/zeromq/zmtp.ts";

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
  const socket = connect(Number(port), hostname);
  await once(socket, "connect");
  let bytes = Buffer.alloc(0);
  socket.on("data", (chunk: Buffer) => {
    bytes = Buffer.concat([bytes, chunk]);
  });
  socket.on("error", () => {});
  const closed = new Promise<void>((resolve) => socket.on("close", () => resolve()));
  const frames = () => framesIn(bytes);
  return {
    socket,
    send(...pieces) {
      for (const piece of pieces) if (!socket.destroyed) socket.write(piece);
    },
    frames,
    async received(count) {
      while (frames().length < count && !socket.destroyed) await Promise.race([once(socket, "data"), closed]);
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

/** The resident memory of a process, in MiB. */
export function residentMebibytes(pid: number): number {
  const [, kibibytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kibibytes) / 1_024;
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

/**
 * The words of ZeroMQ's transport protocol that a ROUTER without encryption needs: ZMTP 3.1 with the NULL mechanism
 * (https://rfc.zeromq.org/spec/37). What libzmq 4 and later, and everything that speaks as it does, sends and expects.
 */

/** What is wrong with what a client sent: the connection is of no more use. */
export class ProtocolFault extends Error {
  override name = "ProtocolFault";
}

/** What each side says first: that it is ZeroMQ, of which version, and that nothing is encrypted. */
export const greetingBytes = 64;
export const greeting = Buffer.alloc(greetingBytes);
greeting.set([0xff, 0, 0, 0, 0, 0, 0, 0, 1, 0x7f, 3, 1]);
greeting.write("NULL", 12);

/** @throws ProtocolFault when the first bytes of a client's greeting, as far as they have come, are none that can be answered */
export function requireGreeting(bytes: Uint8Array): void {
  const wrong = (index: number, expected: number) => bytes.length > index && bytes[index] !== expected;
  if (wrong(0, 0xff) || wrong(9, 0x7f)) throw new ProtocolFault("it does not speak ZeroMQ");
  if ((bytes[10] ?? 3) < 3) throw new ProtocolFault("its ZeroMQ is older than version 4");
  for (let index = 12; index < 32; index += 1)
    if (wrong(index, greeting[index] ?? 0))
      throw new ProtocolFault("it encrypts, and there is no token here");
}

export const flag = { more: 1, long: 2, command: 4 } as const;
const knownFlags = flag.more | flag.long | flag.command;

/** A frame's flags and where its content is; undefined when it has not arrived as far as that. */
export interface FrameHead {
  flags: number;
  start: number;
  end: number;
}

/** @throws ProtocolFault when there can be no such frame */
export function frameHeadAt(bytes: Buffer, offset: number, available: number): FrameHead | undefined {
  if (available - offset < 2) return undefined;
  const flags = bytes[offset] ?? 0;
  if ((flags & ~knownFlags) !== 0 || (flags & flag.command && flags & flag.more))
    throw new ProtocolFault("it sent a frame of no known kind");
  if ((flags & flag.long) === 0) {
    const start = offset + 2;
    return { flags, start, end: start + (bytes[offset + 1] ?? 0) };
  }
  const start = offset + 9;
  if (available < start) return undefined;
  return { flags, start, end: start + Number(bytes.readBigUInt64BE(offset + 1)) };
}

/** Where a frame's content may begin, in bytes after the frame: for what is written in front of it. */
export function headBytesFor(contentBytes: number): number {
  return contentBytes < 256 ? 2 : 9;
}

/** Writes what stands before a frame's content, at `offset`. */
export function writeHead(target: Buffer, offset: number, flags: number, contentBytes: number): void {
  if (contentBytes < 256) {
    target[offset] = flags;
    target[offset + 1] = contentBytes;
    return;
  }
  target[offset] = flags | flag.long;
  target.writeUInt32BE(0, offset + 1);
  target.writeUInt32BE(contentBytes, offset + 5);
}

/** A whole frame. */
export function frame(flags: number, content: Uint8Array): Buffer {
  const start = headBytesFor(content.length);
  const bytes = Buffer.alloc(start + content.length);
  writeHead(bytes, 0, flags, content.length);
  bytes.set(content, start);
  return bytes;
}

/** A command: its name, and what belongs to it. */
export function command(name: string, content: Uint8Array = new Uint8Array()): Buffer {
  return frame(flag.command, Buffer.concat([lengthByte(name.length), Buffer.from(name), content]));
}

/** @throws ProtocolFault when a command's content has no name in front */
export function readCommand(content: Buffer): { name: string; content: Buffer } {
  const nameBytes = content[0] ?? 0;
  if (nameBytes === 0 || content.length < 1 + nameBytes)
    throw new ProtocolFault("it sent a command without a name");
  return { name: content.toString("latin1", 1, 1 + nameBytes), content: content.subarray(1 + nameBytes) };
}

/** What a ROUTER says of itself when the greetings are over. */
export const ready = command(
  "READY",
  Buffer.concat([property("Socket-Type", "ROUTER"), property("Identity", "")]),
);

/** What is said instead to whom a ROUTER cannot talk with. */
export function refusal(reason: string): Buffer {
  return command("ERROR", Buffer.concat([lengthByte(reason.length), Buffer.from(reason)]));
}

/** @throws ProtocolFault when what a client says of itself cannot be read, or is that a ROUTER cannot talk with it */
export function requireAsker(properties: Buffer): void {
  for (let offset = 0; offset < properties.length; ) {
    const nameEnd = offset + 1 + (properties[offset] ?? 0);
    if (nameEnd + 4 > properties.length) break;
    const valueEnd = nameEnd + 4 + properties.readUInt32BE(nameEnd);
    if (valueEnd > properties.length) break;
    const name = properties.toString("latin1", offset + 1, nameEnd).toLowerCase();
    if (name === "socket-type") {
      if (["REQ", "DEALER", "ROUTER"].includes(properties.toString("latin1", nameEnd + 4, valueEnd))) return;
      throw new ProtocolFault("Use a REQ, DEALER or ROUTER socket");
    }
    offset = valueEnd;
  }
  throw new ProtocolFault("it did not say what kind of socket it is");
}

function property(name: string, value: string): Buffer {
  const valueLength = Buffer.alloc(4);
  valueLength.writeUInt32BE(value.length);
  return Buffer.concat([lengthByte(name.length), Buffer.from(name), valueLength, Buffer.from(value)]);
}

function lengthByte(length: number): Buffer {
  return Buffer.from([length]);
}

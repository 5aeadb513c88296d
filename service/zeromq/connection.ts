/**
 * One client's connection, without encryption: what it sends becomes messages, and answers go back to it.
 *
 * What it can make the service keep is bounded by `limits`, together with all others' by a common count of bytes; who
 * goes beyond loses the connection, and nobody else notices.
 */
import type { Socket } from "node:net";
import type { Client, Take } from "./desk.ts";
import {
  command,
  flag,
  frameHeadAt,
  greeting,
  greetingBytes,
  headBytesFor,
  ProtocolFault,
  readCommand,
  ready,
  refusal,
  requireAsker,
  requireGreeting,
  writeHead,
} from "./zmtp.ts";

export const limits = {
  /** All frames of one message together. */
  messageBytes: 256 * 1024,
  /** The body, and what proxies put before it. */
  frames: 16,
  commandBytes: 4 * 1024,
  /** Answers that a client has not read, until which more is read from it. */
  unreadBytes: 256 * 1024,
  /** What all connections together have begun to send and not ended, and not read. */
  heldBytes: 64 * 1024 * 1024,
  /** To say that one speaks ZeroMQ. */
  handshakeMs: 10_000,
  /** Without reading any of what is there to be read. */
  stalledMs: 60_000,
};

/** What all connections of a listener share. */
export interface Shared {
  /** What they have begun to send and not ended, and not read. */
  heldBytes: number;
  take: Take;
  /** Aborts when nobody who waits can wait any longer. */
  stopping: AbortSignal;
}

const empty = Buffer.alloc(0);
const smallestOutput = 16 * 1024;

export class Connection implements Client {
  /** Also when the listener ends. What a client waited for that has gone is not counted; it may ask anew. */
  readonly gone: AbortSignal;
  readonly #socket: Socket;
  readonly #shared: Shared;
  #state: "greeting" | "ready" | "open" = "greeting";
  /** The beginning of a frame whose rest has not come. */
  #rest = empty;
  #restBytes = 0;
  #frames: Buffer[] = [];
  #framesBytes = 0;
  /** Answers since the last time that they were handed to the system. */
  #output = empty;
  #outputBytes = 0;
  /** This connection's part of the shared count. */
  #heldBytes = 0;

  constructor(socket: Socket, shared: Shared) {
    this.#socket = socket;
    this.#shared = shared;
    socket.setNoDelay();
    // Finds out in about 20 seconds that a client has vanished without a word.
    socket.setKeepAlive(true, 10_000);
    socket.on("data", (chunk: Buffer) => this.#read(chunk));
    socket.on("drain", () => this.#drained());
    socket.on("timeout", () => this.#timedOut());
    // What came before is answered; then there is nobody to answer.
    socket.on("error", () => socket.destroy());
    const closing = new AbortController();
    this.gone = AbortSignal.any([closing.signal, shared.stopping]);
    socket.on("close", () => {
      this.#hold(0);
      closing.abort();
    });
    socket.setTimeout(limits.handshakeMs);
    socket.write(greeting);
  }

  /** Sends an answer behind the frames that came before the body. Nothing happens when the client has gone. */
  reply(frames: readonly Buffer[], answer: string): void {
    if (!this.#socket.writable) return;
    for (const content of frames) {
      const start = this.#room(headBytesFor(content.length) + content.length);
      writeHead(this.#output, start, flag.more, content.length);
      this.#output.set(content, start + headBytesFor(content.length));
    }
    const bytes = Buffer.byteLength(answer);
    const start = this.#room(headBytesFor(bytes) + bytes);
    writeHead(this.#output, start, 0, bytes);
    this.#output.write(answer, start + headBytesFor(bytes));
  }

  /** Ends when what was answered has been sent, or after so long. */
  end(withinMs: number): void {
    this.flush();
    this.#socket.end();
    const timer = setTimeout(() => this.#socket.destroy(), withinMs);
    this.#socket.once("close", () => clearTimeout(timer));
  }

  #say(bytes: Buffer): void {
    const start = this.#room(bytes.length);
    this.#output.set(bytes, start);
  }

  /** Makes room behind what there is; all of it goes out when all that can be decided now has been. Returns where. */
  #room(bytes: number): number {
    const start = this.#outputBytes;
    const end = start + bytes;
    if (end > this.#output.length) {
      const larger = Buffer.allocUnsafe(Math.max(smallestOutput, end, start * 2));
      this.#output.copy(larger, 0, 0, start);
      this.#output = larger;
    }
    if (start === 0) process.nextTick(flush, this);
    this.#outputBytes = end;
    return start;
  }

  /** Hands to the system what has been answered. */
  flush(): void {
    if (this.#outputBytes === 0 || !this.#socket.writable) return;
    const bytes = this.#output.subarray(0, this.#outputBytes);
    // A little that is left in a large buffer would keep all of it.
    this.#output = empty;
    this.#outputBytes = 0;
    if (!this.#socket.write(bytes)) this.#settleHeld();
  }

  #drained(): void {
    this.#settleHeld();
    this.#socket.resume();
  }

  #timedOut(): void {
    if (this.#state !== "open" || this.#socket.writableLength > 0) this.#socket.destroy();
  }

  /** Counts what is kept of this client's, reads on only when it reads, and parts with it when all keep too much. */
  #settleHeld(): void {
    const unread = this.#socket.writableLength;
    if (unread > limits.unreadBytes) this.#socket.pause();
    this.#hold(unread + this.#rest.length + this.#framesBytes);
    if (this.#heldBytes > 0 && this.#shared.heldBytes > limits.heldBytes) this.#socket.destroy();
  }

  #hold(bytes: number): void {
    this.#shared.heldBytes += bytes - this.#heldBytes;
    this.#heldBytes = bytes;
  }

  #read(chunk: Buffer): void {
    try {
      if (this.#restBytes === 0) {
        const used = this.#parse(chunk, chunk.length);
        if (used < chunk.length) this.#append(chunk.subarray(used));
      } else {
        this.#append(chunk);
        const used = this.#parse(this.#rest, this.#restBytes);
        if (used > 0) this.#rest.copyWithin(0, used, this.#restBytes);
        this.#restBytes -= used;
        if (this.#restBytes === 0) this.#rest = empty;
      }
    } catch (error) {
      if (!(error instanceof ProtocolFault)) throw error;
      // What was answered before still goes out.
      this.flush();
      this.#socket.pause().destroySoon();
      return;
    }
    if (this.#rest.length + this.#framesBytes + this.#heldBytes > 0) this.#settleHeld();
  }

  /** Many small pieces are put together without copying all of them again each time. */
  #append(piece: Buffer): void {
    const needed = this.#restBytes + piece.length;
    if (needed > this.#rest.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.#rest.length * 2));
      this.#rest.copy(larger, 0, 0, this.#restBytes);
      this.#rest = larger;
    }
    piece.copy(this.#rest, this.#restBytes);
    this.#restBytes = needed;
  }

  /** Takes all that is whole; returns how many bytes that were. */
  #parse(bytes: Buffer, available: number): number {
    let offset = 0;
    if (this.#state === "greeting") {
      requireGreeting(bytes.subarray(0, Math.min(available, greetingBytes)));
      if (available < greetingBytes) return 0;
      this.#state = "ready";
      this.#say(ready);
      offset = greetingBytes;
    }
    for (;;) {
      const head = frameHeadAt(bytes, offset, available);
      if (head === undefined) return offset;
      const { flags, start, end } = head;
      const contentBytes = end - start;
      const isCommand = (flags & flag.command) !== 0;
      if (contentBytes > (isCommand ? limits.commandBytes : limits.messageBytes - this.#framesBytes))
        throw new ProtocolFault("it sent too long a message");
      if (end > available) return offset;
      if (isCommand) this.#obey(bytes.subarray(start, end));
      else if (this.#state !== "open")
        throw new ProtocolFault("it sent a message before its greeting was over");
      else if ((flags & flag.more) !== 0) this.#keep(bytes.subarray(start, end));
      else this.#take(bytes, start, end);
      offset = end;
    }
  }

  #keep(content: Buffer): void {
    if (this.#frames.length === limits.frames - 1)
      throw new ProtocolFault("it sent a message of too many parts");
    // A copy, so that it keeps nothing else that came with it.
    this.#frames.push(content.length === 0 ? empty : Buffer.from(content));
    this.#framesBytes += content.length;
  }

  #take(bytes: Buffer, start: number, end: number): void {
    const frames = this.#frames;
    this.#frames = [];
    this.#framesBytes = 0;
    this.#shared.take(this, frames, bytes, start, end);
  }

  #obey(bytes: Buffer): void {
    const { name, content } = readCommand(bytes);
    if (this.#state === "open") {
      // Two bytes say for how long; what follows comes back.
      if (name === "PING") this.#say(command("PONG", content.subarray(2, 18)));
      if (name === "ERROR") throw new ProtocolFault("it has given up");
      return;
    }
    if (name !== "READY") throw new ProtocolFault("it did not say what it is");
    try {
      requireAsker(content);
    } catch (error) {
      if (error instanceof ProtocolFault) this.#say(refusal(error.message));
      throw error;
    }
    this.#state = "open";
    this.#socket.setTimeout(limits.stalledMs);
  }
}

function flush(connection: Connection): void {
  connection.flush();
}

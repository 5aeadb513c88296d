/** HTTP over a connection on which a test sends every byte itself. */
import type { Socket } from "node:net";
import { openConnection } from "./raw-connection.ts";

/** A request as it goes over the wire. */
export function wireRequest(path: string, body: string, headers = ""): string {
  return `POST ${path} HTTP/1.1\r\nHost: limiter\r\nContent-Type: application/json\r\n${headers}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

export interface RawHttp {
  socket: Socket;
  /**
   * Resolves to all that has come, as soon as it matches.
   * Rejects when the connection closes before that.
   */
  until(pattern: RegExp): Promise<string>;
  /** Resolves to all received data once the server closes or resets the connection. */
  closed(): Promise<string>;
}

/** Connects, and sends `first`. */
export async function connectRaw(port: number, first: string | Buffer = ""): Promise<RawHttp> {
  const { socket, received, until } = await openConnection(port);
  const text = () => received().toString("latin1");
  socket.write(first);
  return {
    socket,
    async until(pattern) {
      await until(() => pattern.test(text()));
      if (!pattern.test(text())) throw new Error(`The connection is closed after: ${text()}`);
      return text();
    },
    async closed() {
      await until(() => false);
      return text();
    },
  };
}

/** The bodies of answers that follow each other on a connection. */
export function bodiesOf(received: string): unknown[] {
  return received
    .split(/(?=HTTP\/1\.1 \d{3} )/)
    .filter((answer) => answer !== "" && !answer.startsWith("HTTP/1.1 100"))
    .map((answer) => JSON.parse(answer.slice(answer.indexOf("\r\n\r\n") + 4)));
}

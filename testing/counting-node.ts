/**
 * A node for tests of a proxy in front of nodes.
 * A bare HTTP server that records its requests.
 */
import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";

export interface CountingNode {
  /** Its host and port. */
  address: string;
  /** Each request that arrived, in order. */
  requests: IncomingMessage[];
  /**
   * Sets the handling of requests from now on.
   * `count` is the number of requests so far, this one included.
   */
  answer(how: (request: IncomingMessage, response: ServerResponse, count: number) => void): void;
  /**
   * Takes no more connections, and drops those it has.
   * Nothing happens when it has been stopped.
   */
  stop(): Promise<void>;
}

/**
 * Answers every request with a page that contains the number of requests.
 * The page has the marks of the framework's pages.
 */
export async function startCountingNode(port = 0): Promise<CountingNode> {
  const requests: IncomingMessage[] = [];
  let how = (_: IncomingMessage, response: ServerResponse, count: number) => page(response, `page ${count}`);
  const listener: RequestListener = (request, response) => {
    requests.push(request);
    const count = requests.length;
    request.resume().once("end", () => how(request, response, count));
  };
  const server = createServer(listener).listen(port, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("A TCP server has a port");
  return {
    address: `127.0.0.1:${address.port}`,
    requests,
    answer: (next) => {
      how = next;
    },
    stop: async () => {
      if (!server.listening) return;
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Answers with a page, its headers as the framework's. */
export function page(
  response: ServerResponse,
  text: string,
  headers: Record<string, string> = {},
  status = 200,
): void {
  response.writeHead(status, {
    "Content-Type": "text/html; charset=utf-8",
    "Cache-Control": "private, no-cache, no-store, max-age=0, must-revalidate",
    Vary: "rsc, next-router-state-tree, next-router-prefetch, next-router-segment-prefetch, Accept-Encoding",
    ...headers,
  });
  response.end(text);
}

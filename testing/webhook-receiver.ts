/** A program that receives webhooks over http, at a free port of this machine. */
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

export interface ReceivedWebhook {
  headers: IncomingHttpHeaders;
  body: string;
}

/** Answers each request with the next of `statuses`, and then with the last. */
export async function startWebhookReceiver(...statuses: [number, ...number[]]) {
  const received: ReceivedWebhook[] = [];
  const server = createServer(async (request, response) => {
    received.push({ headers: request.headers, body: await text(request) });
    const status = statuses[Math.min(received.length, statuses.length) - 1] ?? statuses[0];
    // A redirect leads back here: a client that follows it is counted twice.
    response.writeHead(status, { Location: "/" }).end("x".repeat(100_000));
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** A port of the loopback address without a listener. */
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

/**
 * Below the ephemeral ports.
 * From those the system picks ports for connections and for listeners on port 0. So no other program gets this port
 * before its listener starts, or while that restarts.
 */
const [lowest, count] = [20_000, 12_000];

let offset = randomInt(count);

/** Resolves to one that was free a moment ago, each time to another one. */
export async function freePort(): Promise<number> {
  for (;;) {
    offset = (offset + 1) % count;
    const port = lowest + offset;
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, "127.0.0.1");
  try {
    await once(server, "listening");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EADDRINUSE") return false;
    throw error;
  }
  server.close();
  await once(server, "close");
  return true;
}

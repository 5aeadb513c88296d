/** The load's own cost: its speed against a server that does nothing. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { get } from "node:http";
import { resolve } from "node:path";

/** Gives `work` the address of a server whose every answer has this many bytes. */
export async function whileServingBytes<T>(bytes: number, work: (origin: string) => Promise<T>): Promise<T> {
  const server = fork(resolve("bench/nodes/bare-server.ts"), [`${bytes}`], { execArgv: [] });
  try {
    const [port]: unknown[] = await once(server, "message");
    return await work(`http://127.0.0.1:${port}`);
  } finally {
    if (server.connected) server.disconnect();
  }
}

/** How many bytes an address answers with, compressed as a browser gets it. */
export function bytesOf(url: string): Promise<number> {
  return new Promise((done, fail) => {
    get(url, { headers: { "accept-encoding": "gzip" } }, (answer) => {
      let bytes = 0;
      answer
        .on("data", (chunk: Buffer) => {
          bytes += chunk.length;
        })
        .on("end", () => done(bytes))
        .on("error", fail);
    }).on("error", fail);
  });
}

/** The built app, serving on a free port of this machine alone. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { freePort } from "../../scripts/cluster/free-port.ts";

const host = "127.0.0.1";
const patienceMs = 30_000;

/**
 * Serves while `work` runs, which is given the server's address.
 * The server has ended when this returns.
 */
export async function whileServing<T>(
  databaseUrl: string,
  work: (origin: string) => Promise<T>,
  settings: Record<string, string> = {},
): Promise<T> {
  const port = await freePort();
  const server = spawn(process.execPath, ["--import", "./scripts/stop-with-parent.mjs", "server/index.ts"], {
    env: {
      ...process.env,
      NODE_ENV: "production",
      HOST: host,
      PORT: String(port),
      DATABASE_URL: databaseUrl,
      AUTH_SECRET: crypto.randomUUID(),
      LOG_LEVEL: "warn",
      ...settings,
    },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const ended = once(server, "exit");
  try {
    const origin = `http://${host}:${port}`;
    await answers(origin);
    return await work(origin);
  } finally {
    server.kill("SIGTERM");
    await ended;
  }
}

async function answers(origin: string): Promise<void> {
  const deadline = Date.now() + patienceMs;
  while (Date.now() < deadline) {
    try {
      await (await fetch(origin)).arrayBuffer();
      return;
    } catch {
      await new Promise((later) => setTimeout(later, 50));
    }
  }
  throw new Error("The server does not answer.");
}

/** An app of one empty dynamic page: the cost of the framework by itself. */
import { execFileSync, fork } from "node:child_process";
import { once } from "node:events";
import { cpSync } from "node:fs";
import { join, resolve } from "node:path";

const production = { ...process.env, NODE_ENV: "production" } as const;

/** Gives `work` the address of the app, which is built in a part of `folder`. */
export async function whileServingEmptyPage<T>(
  folder: string,
  work: (origin: string) => Promise<T>,
): Promise<T> {
  const app = join(folder, "empty-page");
  for (const part of ["app", "next.config.mjs"])
    cpSync(resolve("bench/empty-page", part), join(app, part), { recursive: true });
  execFileSync(process.execPath, ["node_modules/next/dist/bin/next", "build", app], {
    env: production,
    stdio: ["ignore", "ignore", "inherit"],
  });
  const server = fork(resolve("bench/empty-page/server.ts"), [app], {
    env: production,
    execArgv: [],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  try {
    const [port]: unknown[] = await once(server, "message");
    return await work(`http://127.0.0.1:${port}`);
  } finally {
    if (server.connected) server.disconnect();
  }
}

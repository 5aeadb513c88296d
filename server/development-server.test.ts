/** The server of `npm run dev`. */
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { request } from "node:http";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { temporaryDatabaseUrl } from "../testing/database.ts";

const root = join(import.meta.dirname, "..");

test("the development server reloads pages over a WebSocket, also at the address that it prints", async () => {
  const child = spawn(
    process.execPath,
    ["--import", "./scripts/stop-with-parent.mjs", "server/index.ts", "--dev"],
    {
      cwd: root,
      env: {
        ...process.env,
        NODE_ENV: "development",
        NEXT_TELEMETRY_DISABLED: "1",
        PORT: "0",
        HOST: "127.0.0.1",
        DATABASE_URL: temporaryDatabaseUrl(),
        AUTH_SECRET: "a secret of the development server's test",
      },
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    },
  );
  const ended = once(child, "exit");
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  const [message] = await Promise.race([once(child, "message"), ended]);
  const { port } = z.object({ port: z.number() }).parse(message);
  const origin = `http://127.0.0.1:${port}`;
  // Next.js accepts upgrades from the first request on.
  await fetch(`${origin}/robots.txt`);
  const headers = {
    Origin: origin,
    Connection: "Upgrade",
    Upgrade: "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": randomBytes(16).toString("base64"),
  };
  const upgrade = request(`${origin}/_next/hmr?id=page`, { headers }).end();
  const [answer, socket] = await Promise.race([once(upgrade, "upgrade"), once(upgrade, "response")]);
  socket?.destroy();
  expect(answer.statusCode).toBe(101);
});

/** The server of `npm run dev`. */
import { spawn } from "node:child_process";
import { once } from "node:events";
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
  const socket = new WebSocket(`ws://127.0.0.1:${port}/_next/hmr?id=a-page`);
  const [first] = await Promise.race([once(socket, "message"), once(socket, "close")]);
  expect(first.type).toBe("message");
  socket.close();
});

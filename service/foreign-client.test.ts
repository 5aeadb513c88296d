import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, it, onTestFinished } from "vitest";
import findPythonZmq from "../scripts/find-python-zmq.mjs";
import { freePort } from "../testing/free-port.ts";
import { demonstration, expectRegularPattern, mostIn } from "../testing/originals-demonstration.ts";
import { runningService } from "../testing/running-service.ts";

// Without it, `npm test` leaves this file out and says so.
const python = findPythonZmq();

// Three seconds are more than three windows.
const calls = 30;

describe("the original's client, in Python", () => {
  it.each(["plain", "json"])("gets go and sorry in the regular pattern: %s", async (protocol) => {
    const { zmq } = await service();
    const startedAt = performance.now();
    const words = await foreignClient(zmq, { protocol });
    const elapsedMs = performance.now() - startedAt;
    expect(words).toHaveLength(calls);
    expectRegularPattern(words);
    expect(words.filter((word) => word === "go").length).toBeLessThanOrEqual(mostIn(elapsedMs));
  });

  it("waits for a service that is started later, and then runs", async () => {
    const zmq = `tcp://127.0.0.1:${await freePort()}`;
    const running = foreignClient(zmq);
    await service({ zmq });
    expectRegularPattern(await running);
  });

  it("is let in over an encrypted connection with keys that it derives from the token itself", async () => {
    const LIMITER_TOKEN = "a-token-of-more-than-thirty-two-characters";
    const { zmq } = await service({ env: { LIMITER_TOKEN } });
    expectRegularPattern(await foreignClient(zmq, { env: { LIMITER_TOKEN } }));
  });
});

function service(options: { zmq?: string; env?: Record<string, string> } = {}) {
  return runningService({ configuration: demonstration, ...options });
}

/** All answers that it got, once it has ended by itself. */
async function foreignClient(address: string, { protocol = "plain", env = {} } = {}): Promise<string[]> {
  const args = [join(import.meta.dirname, "foreign-client.py"), address, `${calls}`, protocol];
  const child = spawn(python ?? "", args, {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [printed, [code]] = await Promise.all([text(child.stdout), once(child, "close")]);
  expect(code).toBe(0);
  return printed.trim().split("\n");
}

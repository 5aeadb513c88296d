import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, it, onTestFinished } from "vitest";
import { freePort } from "../scripts/cluster/free-port.ts";
import findPythonZmq from "../scripts/find-python-zmq.mjs";
import { regularPattern, startDemonstration } from "../testing/originals-demonstration.ts";

// Without it, `npm test` leaves this file out and reports so.
const python = findPythonZmq();

const calls = 30;

describe("the original's client, in Python", () => {
  it.each(["plain", "json"])("gets go and sorry in the regular pattern: %s", async (protocol) => {
    const address = await startDemonstration();
    expect(await foreignClient(address, { protocol })).toEqual(regularPattern(calls));
  });

  it("waits for a service that is started later, and then runs", async () => {
    const address = `tcp://127.0.0.1:${await freePort()}`;
    const running = foreignClient(address);
    await startDemonstration({ address });
    expect(await running).toEqual(regularPattern(calls));
  });

  it("connects encrypted with keys that it derives from the token itself", async () => {
    const token = "a-token-of-more-than-thirty-two-characters";
    const address = await startDemonstration({ token });
    expect(await foreignClient(address, { env: { LIMITER_TOKEN: token } })).toEqual(regularPattern(calls));
  });
});

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

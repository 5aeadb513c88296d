import { expect, test } from "vitest";
import { createLog } from "./create-log.ts";
import { secretRemover } from "./without-secrets.ts";

test("logs lines of JSON, without secrets and user names in URLs", () => {
  const lines: string[] = [];
  const log = createLog({
    level: "info",
    secrets: ['quo"ted-word', "abc"],
    stream: { write: (line) => void lines.push(line) },
  });
  log.debug("not this");
  log.error(
    { err: new Error('redis://ada:lovelace@10.0.0.1 sent quo"ted-word') },
    "abc stays, being so short",
  );
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({
    level: 50,
    msg: "abc stays, being so short",
    err: { message: "redis://[secret]@10.0.0.1 sent [secret]" },
  });
  expect(lines[0]).not.toMatch(/quo|lovelace/);
});

test("hides a secret that is added to the list later", () => {
  const secrets = ["first-secret"];
  const safe = secretRemover(secrets);
  expect(safe("first-secret, second-secret")).toBe("[secret], second-secret");
  secrets.push("second-secret");
  expect(safe("first-secret, second-secret")).toBe("[secret], [secret]");
});

test("leaves other text as it is", () => {
  const line = "The limiter answers on tcp://127.0.0.1:7777 and http://127.0.0.1:7778, ask ada@example.org";
  expect(secretRemover(["not-in-there"])(line)).toBe(line);
});

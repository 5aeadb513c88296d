import { spawnSync } from "node:child_process";
import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { bufferedDestination } from "./buffered-destination.ts";

test("writes the lines of one turn together, and those of the next ones after them", async () => {
  const written: string[] = [];
  const stream = bufferedDestination({ write: (text) => void written.push(text), flushSync() {} });
  stream.write("a\n");
  stream.write("b\n");
  expect(written).toEqual([]);
  await setImmediate();
  stream.write("c\n");
  await setImmediate();
  expect(written).toEqual(["a\nb\n", "c\n"]);
});

test("writes the lines of the turn in which the process exits", () => {
  const script = `
    import pino from "pino";
    import { bufferedDestination } from "./lib/logging/buffered-destination.ts";
    const stream = bufferedDestination(pino.destination(1));
    stream.write("last words\\n");
    process.exit();`;
  const { stdout } = spawnSync(process.execPath, ["--input-type=module", "--eval", script]);
  expect(String(stdout)).toBe("last words\n");
});

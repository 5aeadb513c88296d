import { spawnSync } from "node:child_process";
import { expect, test, vi } from "vitest";
import { bufferedDestination } from "./buffered-destination.ts";

test("writes lines that come shortly after each other together, and later ones after them", async () => {
  const written: string[] = [];
  const stream = bufferedDestination({ write: (text) => void written.push(text), flushSync() {} });
  stream.write("a\n");
  stream.write("b\n");
  expect(written).toEqual([]);
  await vi.waitFor(() => expect(written).toEqual(["a\nb\n"]));
  stream.write("c\n");
  await vi.waitFor(() => expect(written).toEqual(["a\nb\n", "c\n"]));
});

test("writes at most as much at once as a pipe takes whole", () => {
  const written: string[] = [];
  const stream = bufferedDestination({ write: (text) => void written.push(text), flushSync() {} });
  const line = `${"x".repeat(2_000)}\n`;
  for (let number = 0; number < 5; number += 1) stream.write(line);
  expect(written).toEqual([line + line, line + line]);
});

test("writes the lines that wait when the process exits", () => {
  const script = `
    import pino from "pino";
    import { bufferedDestination } from "./lib/logging/buffered-destination.ts";
    const stream = bufferedDestination(pino.destination(1));
    stream.write("last words\\n");
    process.exit();`;
  const { stdout } = spawnSync(process.execPath, ["--input-type=module", "--eval", script]);
  expect(String(stdout)).toBe("last words\n");
});

import { execFileSync } from "node:child_process";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../testing/database.ts";

test("programs start with the caller's options of Node.js besides its own, in a folder of any name", () => {
  const folder = join(temporaryFolder(), 'a b "ü" #%');
  cpSync("scripts", join(folder, "scripts"), {
    recursive: true,
    filter: (source) => source === "scripts" || source.endsWith(".mjs"),
  });
  const program = `
    import { runNode } from "./scripts/node-runtime.mjs";
    const shown = "console.log(process.title, process.env.NODE_OPTIONS.match(/drizzle-resolve-hook/g).length)";
    const nested = \`import("./scripts/node-runtime.mjs").then(({ runNode }) => runNode(["--eval", \${JSON.stringify(shown)}]))\`;
    process.exitCode = (await runNode(["--eval", nested])).code;
  `;
  const output = execFileSync(process.execPath, ["--input-type=module", "--eval", program], {
    cwd: folder,
    env: { ...process.env, NODE_OPTIONS: "--title=own" },
    encoding: "utf8",
  });
  expect(output).toBe("own 1\n");
});

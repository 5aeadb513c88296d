/**
 * The commands for operators, such as `npm run backup`.
 * Runs scripts/NAME.ts with the arguments after its name, on the Node.js that comes with the packages.
 */
import { existsSync } from "node:fs";
import { runNode } from "./node-runtime.mjs";
import { main, StepFailed } from "./step.mjs";

// npm goes to the project's folder first; a file is meant as seen from where the command was given.
const folder = process.env.INIT_CWD ?? process.cwd();

await main(async () => {
  if (!existsSync("node_modules/.package-lock.json"))
    throw new StepFailed(
      "The packages are not installed: npm ci does that, and npm start does it by itself.",
    );
  const [name, ...args] = process.argv.slice(2);
  const settingsFile = existsSync(".env") ? ["--env-file=.env"] : [];
  const script = [...settingsFile, `scripts/${name}.ts`, ...args];
  // A command that ends by itself within ten seconds, as the limiter does, is not cut off.
  const { code } = await runNode(script, { env: { INIT_CWD: folder }, takesInput: true, graceMs: 15_000 });
  return code;
});

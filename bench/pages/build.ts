/**
 * The app with an empty page and an empty route in it, built for production.
 *
 * It is built from a copy, so that the app itself has no such addresses. The copy lies within the project, whose
 * packages it shares, and is built again only when something in it has changed.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { hashBuildInputs } from "../../scripts/build-inputs.mjs";

export const folder = resolve(".cache/bench-app");
const next = resolve("node_modules/next/dist/bin/next");
export const emptyPage = "/bench-empty";
export const emptyRoute = "/api/bench-empty";

const copied = ["app", "db", "lib", "public", "server", "package.json", "postcss.config.mjs"];
const copiedToo = [
  "instrumentation.ts",
  "instrumentation-client.ts",
  "tsconfig.json",
  "scripts/build-inputs.mjs",
];
const stamp = join(folder, ".next/built-from");

// The framework takes files from below its root only, and the packages are above the copy.
const config = `import config from "./app-config.mjs";

export default (phase) => ({ ...config(phase), turbopack: { root: ${JSON.stringify(resolve("."))} } });
`;

export async function build(): Promise<void> {
  for (const path of [...copied, ...copiedToo]) {
    rmSync(join(folder, path), { recursive: true, force: true });
    if (existsSync(path)) cpSync(path, join(folder, path), { recursive: true });
  }
  cpSync("next.config.mjs", join(folder, "app-config.mjs"));
  writeFileSync(join(folder, "next.config.mjs"), config);
  addRoute("bench/pages/empty-page.tsx", `app${emptyPage}/page.tsx`);
  addRoute("bench/pages/empty-route.ts", `app${emptyRoute}/route.ts`);
  if (!existsSync(join(folder, "node_modules")))
    symlinkSync("../../node_modules", join(folder, "node_modules"));

  const inputs = hashBuildInputs(folder) + readFileSync("next.config.mjs", "utf8");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === inputs) return;
  rmSync(stamp, { force: true });
  const building = spawn(process.execPath, [next, "build", folder], {
    env: { ...process.env, NODE_ENV: "production" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [building.stdout, building.stderr])
    stream.setEncoding("utf8").on("data", (text) => {
      output += text;
    });
  const [code] = await once(building, "close");
  if (code !== 0) throw new Error(`${output}\nThe build failed.`);
  writeFileSync(stamp, inputs);
}

function addRoute(from: string, to: string): void {
  mkdirSync(resolve(folder, to, ".."), { recursive: true });
  cpSync(from, join(folder, to));
}

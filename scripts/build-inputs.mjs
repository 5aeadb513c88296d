/** What the build is made from: it is built again when one of these files has changed, come or gone. */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const folders = ["app", "db", "lib", "public"];
const files =
  /^(package(-lock)?\.json|tsconfig\.json|(next\.config|postcss\.config|proxy|instrumentation(-client)?)\.\w+)$/;
const builtInSettings = ["NEXT_SERVER_ACTIONS_ENCRYPTION_KEY", "NEXT_DEPLOYMENT_ID"];
const notBuilt = /\.test\.tsx?$/;

export function isBuildInput(path) {
  const [first] = path.split("/");
  return (folders.includes(first) || files.test(path)) && !notBuilt.test(path);
}

/** One hash over the names and contents of all inputs below `root`, and the settings that are built in. */
export function hashBuildInputs(root = ".") {
  const hash = createHash("sha256");
  for (const name of builtInSettings) hash.update(`${settingOf(root, name)}\0`);
  for (const path of listBuildInputs(root)) {
    const content = readFileSync(join(root, path));
    hash.update(`${path}\0${content.length}\0`).update(content);
  }
  return hash.digest("hex");
}

/** A setting as the framework finds it: in the environment, or else in `.env`. */
function settingOf(root, name) {
  const file = join(root, ".env");
  const kept = existsSync(file) ? readFileSync(file, "utf8") : "";
  return process.env[name] ?? new RegExp(`^${name}=(.*)$`, "m").exec(kept)?.[1] ?? "";
}

/** The paths of all inputs below `root`, sorted. */
export function listBuildInputs(root = ".") {
  const inFolders = folders
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) => listFiles(root, folder));
  const atTop = readdirSync(root).filter((name) => !folders.includes(name));
  return [...atTop, ...inFolders].filter(isBuildInput).sort();
}

// Not readdir's `recursive`: its entries have no path of their own in Node.js 20.9.
function listFiles(root, folder) {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    return entry.isDirectory() ? listFiles(root, path) : [path];
  });
}

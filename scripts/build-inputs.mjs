/** The files that the build is made from: any change to them makes a new build. */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const folders = ["app", "db", "lib", "public", "server"];
const files =
  /^(package(-lock)?\.json|tsconfig\.json|(next\.config|postcss\.config|instrumentation(-client)?)\.\w+)$/;
/** The configuration names the deployment by this file. */
const scripts = ["scripts/build-inputs.mjs"];
/** Tests, and the results of packing the limiter's package. */
const notBuilt = /\.test\.tsx?$|^lib\/limiter\/dist\//;

export function isBuildInput(path) {
  const [first] = path.split("/");
  return (folders.includes(first) || files.test(path) || scripts.includes(path)) && !notBuilt.test(path);
}

/** One hash over the names and contents of all inputs below `root`. */
export function hashBuildInputs(root = ".") {
  const hash = createHash("sha256");
  for (const path of listBuildInputs(root)) {
    const content = readFileSync(join(root, path));
    hash.update(`${path}\0${content.length}\0`).update(content);
  }
  return hash.digest("hex");
}

/** The name of a build from the inputs below `root`. The same in every folder. */
export function deploymentIdOf(root = ".") {
  return hashBuildInputs(root).slice(0, 16);
}

/** The paths of all inputs below `root`, sorted. */
export function listBuildInputs(root = ".") {
  const inFolders = folders
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) => listFiles(root, folder));
  const atTop = readdirSync(root).filter((name) => !folders.includes(name));
  const beside = scripts.filter((path) => existsSync(join(root, path)));
  return [...atTop, ...inFolders, ...beside].filter(isBuildInput).sort();
}

// Not readdir's `recursive`: its entries have no path of their own in Node.js 20.9.
function listFiles(root, folder) {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    return entry.isDirectory() ? listFiles(root, path) : [path];
  });
}

/**
 * Removes files from node_modules that only the build, or no program, needs.
 * That is two thirds of it. A later build or test installs the packages again. `npm start` does this once it serves,
 * and an image's build runs it as a program.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { exclusively } from "./exclusive.mjs";
import { main } from "./step.mjs";

const mark = "node_modules/.trimmed";

/** Compilers, types, styles and pages' fonts: the build's result has them. */
const onlyBuild =
  /^(@next\/swc-[^/]+|typescript|@typescript\/[^/]+|@types\/[^/]+|tailwindcss|@tailwindcss\/[^/]+|lightningcss[^/]*|postcss|jiti|@fontsource-variable\/[^/]+)\//;
/** Source maps, types and sources in TypeScript, documents. */
const notCode = /\.(map|[cm]?tsx?|md)$/;
/**
 * Parts for development and for the build, and sources of binaries.
 * The framework carries another edition of React, which it loads for options that are off here.
 */
const otherParts = [
  // React itself stays: Node.js reads the names of its exports from both editions.
  /^(next|react-dom)\/.*\.(development|profiling)\.js$/,
  /^next\/dist\/compiled\/react-[^/]*-experimental\//,
  /^next\/dist\/(docs|esm|next-devtools|bundle-analyzer)\//,
  /^next\/dist\/compiled\/next-server\/.*\.dev\.js$/,
  /^node-linux-\w+\/include\//,
  /^better-sqlite3\/(deps|src)\//,
];
/** The binaries of packages that carry those of every system. */
const binaries = [
  /^better-sqlite3\/prebuilds\/(?<system>[a-z]+\d*)-(?<processor>\w+)\.node$/,
  /^zeromq\/build\/(?<system>\w+)\/(?<processor>\w+)\//,
];

/**
 * Whether the built blog, or one of its commands, may load a file.
 * The path is that below node_modules.
 *
 * @param {string} path
 * @param {{ platform: string, arch: string }} [system]
 */
export function isNeededToRun(path, { platform, arch } = process) {
  const inPackage = path.split("node_modules/").at(-1);
  if (inPackage.endsWith("/package.json")) return true; // with the package's version
  if (onlyBuild.test(inPackage) || notCode.test(inPackage)) return false;
  if (otherParts.some((part) => part.test(inPackage))) return false;
  return binaries.every((binary) => {
    const { system, processor } = binary.exec(inPackage)?.groups ?? {};
    return system === undefined || (system.replace("musl", "") === platform && processor === arch);
  });
}

/** Whether these packages no longer build. */
export function isTrimmed() {
  return existsSync(mark);
}

/**
 * Trims packages of production.
 * Where those of development are installed, all stay whole.
 * The next call resumes an interrupted one.
 */
export async function trimPackages() {
  if (isDone() || hasDevelopmentPackages()) return;
  await exclusively("install", async () => {
    writeFileSync(mark, "begun");
    for (const path of listPackageFiles())
      if (!isNeededToRun(path)) await rm(join("node_modules", path), { force: true });
    writeFileSync(mark, "done");
  });
}

function isDone() {
  return isTrimmed() && readFileSync(mark, "utf8") === "done";
}

function hasDevelopmentPackages() {
  const { packages } = JSON.parse(readFileSync("node_modules/.package-lock.json", "utf8"));
  return Object.values(packages).some(({ dev }) => dev);
}

/**
 * All files below node_modules, without those of linked packages.
 *
 * @returns {string[]}
 */
export function listPackageFiles(folder = "") {
  return readdirSync(join("node_modules", folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
    return entry.isDirectory() ? listPackageFiles(path) : entry.isFile() ? [path] : [];
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main(trimPackages);

/**
 * The built blog in a folder with the packages of production alone.
 * They are trimmed as `npm start` and the image trim them.
 */
import {
  copyFileSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { z } from "zod";
import { isNeededToRun, listPackageFiles } from "../scripts/trim-packages.mjs";

const parts = [
  ".next",
  "db",
  "lib",
  "public",
  "scripts",
  "server",
  "service",
  "limiter.json",
  "next.config.mjs",
  "node_modules/.package-lock.json",
  "package.json",
];

/** Makes it outside of this project, whose packages would be found otherwise. */
export function installedFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "weir-e2e-installed-"));
  const files = [...parts.flatMap(filesOf), ...packageFiles()];
  for (const each of new Set(files.map(dirname))) mkdirSync(join(folder, each), { recursive: true });
  for (const file of files) link(file, join(folder, file));
  return folder;
}

function filesOf(path: string): string[] {
  if (/\.test\.tsx?$|^lib\/limiter\/dist$/.test(path)) return [];
  if (!lstatSync(path).isDirectory()) return [path];
  return readdirSync(path).flatMap((name) => filesOf(join(path, name)));
}

function packageFiles(): string[] {
  const { packages } = z
    .object({ packages: z.record(z.string(), z.object({ dev: z.boolean().optional() })) })
    .parse(JSON.parse(readFileSync("node_modules/.package-lock.json", "utf8")));
  const isProduction = (file: string) => {
    const [path = ""] = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file) ?? [];
    return packages[path] !== undefined && !packages[path].dev;
  };
  return listPackageFiles()
    .filter((file) => isProduction(`node_modules/${file}`) && isNeededToRun(file))
    .map((file) => `node_modules/${file}`);
}

function link(from: string, to: string): void {
  if (lstatSync(from).isSymbolicLink()) {
    symlinkSync(readlinkSync(from), to);
    return;
  }
  try {
    linkSync(from, to);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EXDEV")) throw error;
    copyFileSync(from, to); // the folder for temporary files is on another disk
  }
}

/**
 * The programs that some tests need beside the packages.
 * Which Debian package has each, and where it is found.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { runChild } from "./run-child.mjs";
import { step } from "./step.mjs";

/**
 * `finder` is the module whose default export returns a program's path.
 * Every test of the program imports it.
 */
export const programs = {
  redis: { package: "redis-server", finder: "scripts/find-redis.mjs" },
  nginx: { package: "nginx", finder: "scripts/find-nginx.mjs" },
  pythonZmq: { package: "python3-zmq", finder: "scripts/find-python-zmq.mjs" },
  browser: { package: "chromium", finder: "scripts/find-browser.mjs" },
  faketime: { package: "libfaketime", finder: "scripts/find-faketime.mjs" },
};

/**
 * Installs the missing programs of `wanted` with apt-get.
 * It does so on Debian and as root only, and prints their names before.
 *
 * @returns {Promise<(typeof programs)[keyof typeof programs][]>} those that are still missing
 */
export async function installPrograms(wanted = Object.values(programs)) {
  const missing = await missingOf(wanted);
  if (missing.length === 0 || process.getuid?.() !== 0 || !existsSync("/etc/debian_version")) return missing;
  const packages = missing.map((program) => program.package);
  try {
    await step(`Installing with apt-get: ${packages.join(", ")}`, async () => {
      for (const args of [["update"], ["install", "--yes", "--no-install-recommends", ...packages]]) {
        const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
        const { code, output } = await runChild("apt-get", args, { env, capture: true });
        if (code !== 0) throw new Error(`${output.trimEnd()}\napt-get ${args.join(" ")} failed.`);
      }
    });
  } catch (error) {
    console.error(error.message);
  }
  return missingOf(missing);
}

async function missingOf(wanted) {
  const found = await Promise.all(
    wanted.map(async ({ finder }) => (await import(new URL(`../${finder}`, import.meta.url).href)).default()),
  );
  return wanted.filter((_, index) => found[index] === undefined);
}

/** Those of the files that import, also indirectly, a finder of these programs. */
export function filesThatNeed(wanted, files) {
  const finders = wanted.map(({ finder }) => finder);
  return files.filter((file) => finders.some((finder) => importsOf(file).has(finder)));
}

/** The files below a folder whose names end like this. */
export function filesIn(folder, ending) {
  return readdirSync(folder, { recursive: true })
    .filter((file) => file.endsWith(ending))
    .map((file) => join(folder, file))
    .sort();
}

/** All files that a file imports by relative paths, and those that these import. */
function importsOf(file) {
  const all = new Set([normalize(file)]);
  for (const each of all) {
    if (!/\.(ts|mjs)$/.test(each) || !existsSync(each)) continue;
    for (const [, path = ""] of readFileSync(each, "utf8").matchAll(/(?:from|import) "(\.[^"]+)"/g))
      all.add(join(dirname(each), path));
  }
  return all;
}

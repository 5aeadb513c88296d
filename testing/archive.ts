/**
 * Reads archives in tests.
 * With a program that has nothing in common with the one that writes them.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";

/** The files of an archive by their paths. */
export async function filesIn(archive: Readable | Buffer): Promise<Map<string, string>> {
  const folder = mkdtempSync(join(tmpdir(), "weir-archive-"));
  try {
    writeFileSync(join(folder, "a.zip"), Buffer.isBuffer(archive) ? archive : await buffer(archive));
    execFileSync("python3", ["-c", "import zipfile; zipfile.ZipFile('a.zip').extractall('out')"], {
      cwd: folder,
    });
    const out = join(folder, "out");
    const names = readdirSync(out, { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
    return new Map(
      names.map((each) => {
        const path = join(each.parentPath, each.name);
        return [path.slice(out.length + 1), readFileSync(path, "utf8")];
      }),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

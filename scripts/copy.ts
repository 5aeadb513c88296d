/** `npm run copy -- FROM TO` */
import { isDatabaseUrl } from "../db/address.ts";
import { operation, progress, WrongUsage } from "./operation.ts";

await operation({
  usage: `npm run copy -- FROM TO [--json]

Copies a whole blog from one database to another, and compares the two row by row. FROM and TO are addresses as in
DATABASE_URL: file:./data/weir.db, postgres://user:password@host/name. Stop the server first. After an interruption, the same
command resumes; otherwise TO must be empty.
`,
  options: {},
  async run([from, to, ...rest]) {
    if (!from || !to || rest.length > 0) throw new WrongUsage("Two addresses are needed: FROM and TO.");
    // The message leaves the address out: it may contain a password.
    for (const [name, url] of Object.entries({ FROM: from, TO: to }))
      if (!isDatabaseUrl(url))
        throw new WrongUsage(
          `${name} must be the address of a database, such as file:./data/weir.db or postgres://user:password@host/name.`,
        );
    const { copyDatabase } = await import("../db/copy/index.ts");
    const bar = progress();
    try {
      const copied = await copyDatabase(from, to, { onProgress: bar.show });
      const rows = copied.tables.map(
        ({ table, rows, sha256 }) => `${table.padEnd(18)}${String(rows).padStart(10)}  ${sha256}`,
      );
      const before = copied.found > 0 ? ` (${copied.found} were there from an earlier run)` : "";
      const end = `Copied ${copied.copied} rows${before}; counts and checksums are the same on both sides.`;
      return { json: { ...copied }, lines: [...rows, end] };
    } finally {
      bar.stop();
    }
  },
});

/**
 * Another program holds SQLite's write lock.
 * The server keeps answering, and writes wait for their turn.
 */
import Sqlite from "better-sqlite3";
import { databaseFile } from "../db/index.ts";
import { gather } from "./crowd.ts";
import { newName, postPath } from "./people.ts";
import { expect, test } from "./test.ts";

test("pages load while another program has locked the database, and a rating is saved when it is free", async ({
  startServer,
}) => {
  const server = await startServer();
  const [author, rater] = await gather(server, 2);
  if (!author || !rater) throw new Error("There are two people.");
  const title = newName("Locked");
  const { slug }: { slug: string } = await (
    await author.send("POST", "/api/posts", { title, content: "Words." })
  ).json();
  const paths = ["/healthz", "/", postPath(slug), `/api/posts/${slug}/score`];
  const other = new Sqlite(databaseFile(server.databaseUrl), { timeout: 600_000 });
  // On a busy machine the four answers may take longer than a write waits. Then it is refused, and all of it is done again.
  for (let status = 503; status !== 201; ) {
    expect(status).toBe(503);
    other.exec("begin immediate");
    const rating = rater.rate(slug, 4);
    for (const path of paths) expect((await rater.send("GET", path)).status, path).toBe(200);
    other.exec("rollback");
    ({ status } = await rating);
  }
  other.close();
});

/** Another program holds SQLite's write lock: the server goes on answering, and writes wait for their turn. */
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
  const other = new Sqlite(databaseFile(server.databaseUrl));
  other.exec("begin immediate");
  let isAnswered = false;
  const rating = rater.rate(slug, 4).finally(() => {
    isAnswered = true;
  });
  for (const path of ["/healthz", "/", postPath(slug), `/api/posts/${slug}/score`]) {
    expect((await rater.send("GET", path)).status, path).toBe(200);
    expect(isAnswered, `after ${path}`).toBe(false);
  }
  other.exec("rollback");
  other.close();
  expect((await rating).status).toBe(201);
});

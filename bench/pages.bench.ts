/**
 * Pages under load, beside an empty page of the same build.
 *
 * So the ratio compares the app's own work for a page, without the framework's. The empty page is made anew at each
 * request and has the site's frame (header, footer, styles, security headers) around its one line.
 *
 * One server, a blog of 30 posts with 3,000 ratings, 8 connections; the addresses take turns in short rounds. The
 * load's own process shares the machine with the server, for all addresses alike. Readers are visitors; the last line
 * is for a logged-in reader, and has no target.
 */
import { join } from "node:path";
import { registerAt } from "../testing/registration.ts";
import { inFolder } from "./databases.ts";
import { inTurns, ratioOf } from "./measure.ts";
import { fillBlog } from "./pages/blog.ts";
import { build, emptyPage, emptyRoute } from "./pages/build.ts";
import { requestsPerSecond } from "./pages/load.ts";
import { whileServing } from "./pages/server.ts";
import type { Figure } from "./table.ts";

export const title = "Requests per second under load, of a page / of an empty one in the same build";

const rounds = 4;
const seconds = 2;

export async function run(): Promise<Figure[]> {
  await build();
  return inFolder(async (folder) => {
    const url = `file:${join(folder, "blog.db")}`;
    const slug = await fillBlog(url);
    return whileServing(url, async (origin) => {
      const load = (path: string, cookie?: string) => () =>
        requestsPerSecond(`${origin}${path}`, { seconds, cookie });
      const postPage = `/posts/${slug}`;
      const cookie = await registerAt(origin, { username: "reader", password: crypto.randomUUID() });
      const speeds = await inTurns(rounds, {
        emptyPage: load(emptyPage),
        post: load(postPage),
        list: load("/"),
        emptyRoute: load(emptyRoute),
        score: load(`/api${postPage}/score`),
        emptyPageAsUser: load(emptyPage, cookie),
        postAsUser: load(postPage, cookie),
      });
      return [
        { name: "post page", value: ratioOf(speeds.post, speeds.emptyPage), target: { atLeast: 0.5 } },
        { name: "list page", value: ratioOf(speeds.list, speeds.emptyPage), target: { atLeast: 0.5 } },
        {
          name: "score as JSON / empty JSON route",
          value: ratioOf(speeds.score, speeds.emptyRoute),
          target: { atLeast: 0.8 },
        },
        { name: "post page, logged in", value: ratioOf(speeds.postAsUser, speeds.emptyPageAsUser) },
      ];
    });
  });
}

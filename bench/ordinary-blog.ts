/**
 * A small blog for the load.
 * Its posts are of an ordinary length and rated by a hundred users.
 */
import { openSqlite } from "../db/dialects/sqlite/index.ts";
import { createGuard } from "../lib/limits/guard.ts";
import { limitsFrom } from "../lib/limits/index.ts";
import { createRenderer } from "../lib/markdown/index.ts";
import { createPost } from "../lib/posts/index.ts";
import { parseSettings } from "../lib/settings/env.ts";
import { dayMs } from "../lib/time/units.ts";
import { addUsers, fill, morning } from "./databases.ts";

const posts = 30;
const raters = 100;

/** About 500 words of Markdown, with some of everything that authors use. */
export const content = `The first thing to know about a **weir** is that it does not stop a river. It decides how fast the
river may change, and warns the villages below it.

## What it holds back

${"A flood is not more water, it is the same water *sooner*. What was to come in a week comes in an hour, and whatever was built for a week is gone. So the old builders measured not the river but its haste, and wrote down what they found in [the book of levels](https://example.org/levels). ".repeat(3)}

- the level above the sill, read each morning
- the level below, read at the same time
- how long the gate had been \`open\`, and who had opened it

| Year | Floods | Height |
| --- | ---: | ---: |
| 1841 | 3 | 1.20 m |
| 1862 | 1 | 2.05 m |
| 1897 | 4 | 0.90 m |

## What it lets through

${"Everything, sooner or later. No one has ever kept a river. It comes through the gates at the pace that the meadows can drink, and what cannot wait goes over the sill with a noise that one hears in the town. ".repeat(3)}

> Let it come, but let it come slowly.

1. Open the lower gate first.
2. Wait until the marks agree.
3. Only then open the upper one.

\`\`\`
level above  1.42
level below  0.97
\`\`\`

${"That is all there is to the craft, and it takes a life to learn. The rest is grease, wood and patience, and a lamp that does not go out in the rain. ".repeat(2)}
`;

/** Fills a new database at this address; returns the slug of one of its posts. */
export async function fillBlog(url: string): Promise<string> {
  const database = openSqlite(url);
  const { sqlite } = database;
  fill(sqlite, () => addUsers(sqlite, raters));
  const context = {
    database,
    limits: limitsFrom(parseSettings({})),
    guard: createGuard({ database }),
    renderer: createRenderer(),
    whoMayWrite: "anyone" as const,
  };
  let slug = "";
  for (let number = 1; number <= posts; number += 1) {
    const user = { id: number, username: `user-${number}`, isAdministrator: false, isModerator: false };
    const input = { title: `What the keeper of weir number ${number} wrote down`, content };
    const now = morning + number * dayMs;
    const outcome = await createPost(context, { user, address: "192.0.2.1", input, now });
    if (outcome.kind !== "created") throw new Error(`The post was not created: ${outcome.kind}`);
    slug = outcome.slug;
  }
  fill(sqlite, () =>
    sqlite.exec(
      `insert into ratings (post_id, user_id, score, created_at, updated_at)
       select posts.id, users.id, (posts.id * users.id) % 6, ${morning}, ${morning} from posts, users;
       ${[0, 1, 2, 3, 4, 5]
         .map(
           (score) => `update posts set count_${score} =
             (select count(*) from ratings where post_id = posts.id and score = ${score});`,
         )
         .join("\n")}`,
    ),
  );
  await database.close();
  return slug;
}

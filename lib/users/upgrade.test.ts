/** Accounts of databases from before lower-case names and saved sessions. */
import { expect, test } from "vitest";
import { userOf } from "../../testing/accounts.ts";
import { upgradedDatabases } from "../../testing/both-databases.ts";
import { contextOf } from "../../testing/content.ts";
import { startSession } from "../sessions/index.ts";
import { fillSkeletons } from "./skeletons.ts";

const at = Date.UTC(2026, 2, 1, 9);

/** Names with their skeletons by the previous version; the last account is deleted. */
const accounts = `
  insert into users (id, username, username_key, email, email_key, password_hash, created_at, username_skeleton, deleted_at)
    values (1, 'ALICE', 'alice', 'a', 'a', 'x', ${at}, 'ALlCE', null),
    (2, 'al\u0131ce', 'al\u0131ce', 'b', 'b', 'x', ${at}, 'alice', null),
    (3, 'birch', 'birch', 'c', 'c', 'x', ${at}, null, null),
    (4, 'gone', 'gone', 'd', 'd', 'x', ${at}, 'gone', ${at});
`;

test.each(upgradedDatabases)(
  "recomputes the skeletons of earlier accounts on %s, and they can start sessions",
  async (_, open) => {
    const database = await open("lower_case_skeletons", accounts);
    const { users } = database;
    expect((await users.withoutSkeleton(9)).map(({ id }) => id)).toEqual([1, 2, 3]);
    await fillSkeletons(database);
    expect(
      (await users.all()).map(({ id, usernameSkeleton, lowerCaseSkeleton }) => [
        id,
        usernameSkeleton,
        lowerCaseSkeleton,
      ]),
    ).toEqual([
      [1, "allce", "alice"],
      [2, "alice#2", "alice#2"],
      [3, "birch", "birch"],
    ]);
    const token = await startSession(database, { userId: 2, device: undefined, now: at });
    expect(await userOf(contextOf(database), token, at)).toMatchObject({ id: 2 });
  },
);

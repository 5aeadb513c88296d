import { describe, expect, test } from "vitest";
import { newDatabases, upgradedDatabases } from "../../testing/both-databases.ts";
import { addPost, addUser, contextOf, morning } from "../../testing/content.ts";
import { latestChanges, setDisabled } from "../account-changes/index.ts";
import { createPost } from "../posts/index.ts";
import type { WhoMayWrite } from "../site/schema.ts";
import { acceptInvitation, invite, openInvitation } from "./invitations.ts";
import { changeRole, personNamed } from "./people.ts";
import type { User } from "./types.ts";
import { toUser } from "./user-of-row.ts";
import { answerWritingRequest, requestToWrite, writingRequestedAt, writingRequests } from "./writers.ts";

describe.each(newDatabases)("writers on %s", (_, open) => {
  async function setting(whoMayWrite: WhoMayWrite = "approved") {
    const database = await open();
    const context = { ...contextOf(database), whoMayWrite };
    const administrator = await addUser(database, "keeper", { isAdministrator: true });
    const reader = await addUser(database, "alder");
    /** A user as their next request has them. */
    const current = async ({ id, username }: User): Promise<User> => {
      const row = await database.users.byId(id);
      return row ? toUser(row) : expect.fail(`${username} is gone`);
    };
    const write = async (user: User, who = whoMayWrite) => {
      const input = { title: "A post", content: "Some words." };
      const request = { user: await current(user), address: "192.0.2.1", input, now: morning };
      return (await createPost({ ...context, whoMayWrite: who }, request)).kind;
    };
    const invitation = async (role?: string) => {
      const input = { note: "For Alder", days: "7", role };
      const outcome = await invite(context, { actor: administrator, input, now: morning });
      return outcome.kind === "invited" ? outcome.token : expect.fail(outcome.kind);
    };
    const accept = async (user: User, token: string, now = morning) =>
      (await acceptInvitation(context, { user, token, now })).kind;
    return { database, context, administrator, reader, current, write, invitation, accept };
  }

  test.each(["approved", "invited"] as const)(
    "a new account writes nothing where %s people may",
    async (who) => {
      const { database, administrator, reader, write } = await setting(who);
      const moderator = await addUser(database, "birch", { isModerator: true });
      expect(await write(reader)).toBe("not-a-writer");
      expect([await write(moderator), await write(administrator)]).toEqual(["created", "created"]);
    },
  );

  test("an earlier writer still may write when not everyone may any more", async () => {
    const { reader, write } = await setting();
    expect([await write(reader, "anyone"), await write(reader, "invited")]).toEqual(["created", "created"]);
  });

  test("a writer who was made a reader meanwhile publishes nothing, with the session's old right", async () => {
    const { context, administrator, reader } = await setting();
    const input = { title: "A post", content: "Some words." };
    const old = { ...reader, isWriter: true };
    const request = { user: old, address: "192.0.2.1", input, now: morning };
    expect(await createPost(context, request)).toEqual({ kind: "not-a-writer" });
    const change = (role: string) =>
      changeRole(context, {
        actor: administrator,
        username: "alder",
        input: { role, why: "They asked for it." },
        now: morning,
      });
    for (const role of ["writer", "moderator", "writer", "reader"]) {
      expect((await change(role)).kind).toBe("done");
      const found = await personNamed(context, { actor: administrator, username: "alder", now: morning });
      expect(found).toMatchObject({ person: { role } });
    }
    expect(await createPost(context, request)).toEqual({ kind: "not-a-writer" });
  });

  test("a request is made once, and an administrator's answer is on record", async () => {
    const { database, context, administrator, reader, current, write } = await setting();
    const answer = (actor: User, accept: boolean) =>
      answerWritingRequest(context, { actor, id: reader.id, accept, now: morning });
    await requestToWrite(context, { user: reader, now: morning });
    await requestToWrite(context, { user: reader, now: morning + 1 });
    expect(await writingRequestedAt(context, reader)).toBe(morning);
    expect(await writingRequests(context, administrator)).toEqual({
      requests: [{ id: reader.id, username: "alder", requestedAt: morning }],
      count: 1,
    });
    expect(await writingRequests(context, reader)).toEqual({ requests: [], count: 0 });
    expect(await answer(reader, true)).toEqual({ kind: "forbidden" });
    expect(await answer(administrator, false)).toEqual({ kind: "done", answered: true });
    expect(await answer(administrator, true)).toEqual({ kind: "done", answered: false });
    expect(await write(reader)).toBe("not-a-writer");
    await requestToWrite(context, { user: reader, now: morning + 2 });
    expect(await answer(administrator, true)).toEqual({ kind: "done", answered: true });
    expect(await write(reader)).toBe("created");
    await requestToWrite(context, { user: await current(reader), now: morning + 3 });
    expect((await writingRequests(context, administrator)).count).toBe(0);
    const kinds = (await database.accountChanges.latest(9, undefined, "all")).map(({ kind }) => kind);
    expect(kinds).toEqual(["make-writer", "decline-writer"]);
  });

  test("an account that waits for approval requests nothing", async () => {
    const { database, context, current } = await setting();
    const waiting = await addUser(database, "birch", { pendingSince: morning });
    await requestToWrite(context, { user: await current(waiting), now: morning });
    expect(await writingRequestedAt(context, waiting)).toBeNull();
  });

  test.each(["anyone", "invited"] as const)(
    "saves no request to write with WHO_MAY_WRITE=%s",
    async (who) => {
      const { context, reader } = await setting(who);
      await requestToWrite(context, { user: reader, now: morning });
      expect(await writingRequestedAt(context, reader)).toBeNull();
    },
  );

  test("a disabled person's request is not listed", async () => {
    const { context, administrator, reader } = await setting();
    await requestToWrite(context, { user: reader, now: morning });
    const input = { disabled: true, why: "A raid." };
    await setDisabled(context, { actor: administrator, username: "alder", input, now: morning });
    expect((await writingRequests(context, administrator)).count).toBe(0);
  });

  test("an invitation makes one reader a writer, once", async () => {
    const { database, context, reader, write, invitation, accept } = await setting("invited");
    const other = await addUser(database, "birch");
    const token = await invitation();
    expect((await Promise.all([accept(reader, token), accept(other, token)])).toSorted()).toEqual([
      "accepted",
      "bad-invitation",
    ]);
    expect((await Promise.all([write(reader), write(other)])).toSorted()).toEqual([
      "created",
      "not-a-writer",
    ]);
    expect(await openInvitation(context, token, morning)).toBeUndefined();
  });

  test("an invitation is kept by a writer, and makes none when it is expired or for a reader", async () => {
    const { context, administrator, reader, invitation, accept } = await setting("invited");
    const token = await invitation("writer");
    expect(await accept(reader, token, morning + 7 * 86_400_000)).toBe("bad-invitation");
    expect(await accept(reader, await invitation("reader"))).toBe("bad-invitation");
    expect(await accept(reader, token)).toBe("accepted");
    const second = await invitation();
    expect(await accept(reader, second)).toBe("bad-invitation");
    expect(await openInvitation(context, second, morning)).toEqual({ makesWriter: true });
    const input = { note: "For Alder", days: "7", role: "administrator" };
    expect((await invite(context, { actor: administrator, input, now: morning })).kind).toBe("invalid");
  });

  test("an account that waits for approval is approved by the invitation that it accepts", async () => {
    const { database, context, administrator, invitation, accept, write } = await setting("invited");
    const network = { pendingSince: morning, pendingNetwork: "00000000000000aa" };
    const waiting = await addUser(database, "birch", network);
    expect(await accept(waiting, await invitation())).toBe("accepted");
    expect(await database.users.byId(waiting.id)).toMatchObject({
      isWriter: true,
      pendingSince: null,
      pendingNetwork: null,
    });
    expect(await write(waiting)).toBe("created");
    expect((await latestChanges(context, administrator)).changes).toMatchObject([
      { kind: "approve", actor: "owner", usernames: ["birch"], why: "For Alder" },
      { kind: "use-invitation", actor: "owner", usernames: ["birch"] },
      { kind: "make-invitation" },
    ]);
  });

  test("moderators, administrators, and readers where anyone may write use no invitation up", async () => {
    const { database, context, administrator, reader, invitation, accept } = await setting("invited");
    const moderator = await addUser(database, "birch", { isModerator: true });
    const token = await invitation();
    expect(await accept(moderator, token)).toBe("bad-invitation");
    expect(await accept(administrator, token)).toBe("bad-invitation");
    const open = { ...context, whoMayWrite: "anyone" } as const;
    expect(await acceptInvitation(open, { user: reader, token, now: morning })).toEqual({
      kind: "bad-invitation",
    });
    expect(await openInvitation(context, token, morning)).toEqual({ makesWriter: true });
  });
});

test.each(newDatabases)(
  "authors on %s become writers, unless that was revoked since their last post",
  async (_, open) => {
    const database = await open();
    const context = contextOf(database);
    const actor = await addUser(database, "keeper", { isAdministrator: true });
    const names = ["alder", "birch", "cedar", "dogwood"];
    const ids = new Map<string, number>();
    for (const name of names) ids.set(name, (await addUser(database, name)).id);
    const post = async (name: string, now: number) =>
      addPost(database, { ...actor, id: ids.get(name) ?? 0, username: name }, { title: name, now });
    const revoke = (username: string, now: number) =>
      changeRole(context, { actor, username, input: { role: "reader", why: "They asked for it." }, now });
    // As a server of the version before saves it.
    const lack = (name: string) =>
      database.transaction(() => database.users.setWriter(ids.get(name) ?? 0, false));
    await post("alder", morning);
    await lack("alder");
    await post("birch", morning);
    await revoke("birch", morning + 1);
    await post("cedar", morning);
    await revoke("cedar", morning + 1);
    await post("cedar", morning + 2);
    await lack("cedar");
    await database.transaction(() => database.users.makeAuthorsWriters());
    const found = await Promise.all(names.map((name) => database.users.byUsernameKey(name)));
    expect(found.map((user) => user?.isWriter)).toEqual([true, false, true, false]);
  },
);

const blog = `
  insert into users (id, username, username_key, email, email_key, password_hash, created_at)
    values (1, 'a', 'a', 'a', 'a', 'x', 0), (2, 'b', 'b', 'b', 'b', 'x', 0), (3, 'c', 'c', 'c', 'c', 'x', 0);
  insert into posts (id, slug, title, author_id, created_at, updated_at, deleted_at)
    values (1, 'kept', 'Kept', 1, 0, 0, null), (2, 'second', 'Second', 1, 0, 0, null), (3, 'gone', 'Gone', 3, 0, 0, 1);
  insert into invitations (id, token_hash, note, created_at, expires_at) values (1, 'h', 'n', 0, 1);
`;

test.each(upgradedDatabases)("an upgrade on %s keeps everyone who has posted a writer", async (_, open) => {
  const { users, invitations } = await open("writers", blog);
  expect(
    (await users.all()).map(({ isWriter, writingRequestedAt }) => [isWriter, writingRequestedAt]),
  ).toEqual([
    [true, null],
    [false, null],
    [true, null],
  ]);
  expect(await invitations.latest(9)).toMatchObject([{ makesWriter: true }]);
});

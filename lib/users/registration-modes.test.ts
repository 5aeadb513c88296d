import { describe, expect, test } from "vitest";
import { userNamed } from "../../db/contract/setting.ts";
import { accounts, address, password, sessionFor, solvedFor } from "../../testing/accounts.ts";
import { addPost, addUser, limitsWith, morning } from "../../testing/content.ts";
import { changeSelected, latestChanges } from "../account-changes/index.ts";
import { acceptApiToken, createApiToken } from "../api-tokens/index.ts";
import type { Limits } from "../limits/index.ts";
import { createPost } from "../posts/index.ts";
import { createRating } from "../ratings/index.ts";
import type { WhoMayWrite } from "../site/schema.ts";
import { dayMs } from "../time/units.ts";
import { decideAccounts, decideNamedAccounts, decisionMaximum, pendingAccounts } from "./approvals.ts";
import { deleteAccount, logIn, register } from "./index.ts";
import {
  invitationsPerPage,
  invite,
  listInvitations,
  openInvitation,
  withdrawInvitation,
} from "./invitations.ts";
import { createAccount, setRoleByOperator } from "./manage.ts";
import type { RegistrationSettings } from "./register.ts";

/** A site in a mode with an administrator, and functions to register and to invite. */
async function site(
  mode: RegistrationSettings["mode"],
  { limits = limitsWith(), whoMayWrite = "anyone" }: { limits?: Limits; whoMayWrite?: WhoMayWrite } = {},
) {
  const { context: open, tryPassword } = accounts(limits);
  const context = { ...open, whoMayWrite, registration: { ...open.registration, mode } };
  const { database } = context;
  const administrator = await addUser(database, "keeper", { isAdministrator: true });
  const signUp = async (
    username: string,
    { invitation = undefined as string | undefined, now = morning, from = address } = {},
  ) => {
    const input = { username, email: `${username}@example.org`, password, invitation };
    return register(context, { input: { ...input, ...(await solvedFor(context, now)) }, address: from, now });
  };
  /** Registers, and fails the test when that is refused. */
  const join = async (username: string, invitation?: string) => {
    const outcome = await signUp(username, { invitation });
    if (outcome.kind !== "registered") throw new Error(`Not registered: ${JSON.stringify(outcome)}`);
    return outcome.user;
  };
  const newInvitation = async (actor = administrator) => {
    const outcome = await invite(context, { actor, input: { note: "For Alder", days: "7" }, now: morning });
    return outcome.kind === "invited" ? outcome.token : expect.fail(outcome.kind);
  };
  /** Decides on one account. */
  const decide = async (username: string, approve: boolean, actor = administrator) => {
    const ids = [(await database.users.byUsernameKey(username))?.id ?? 0];
    return decideAccounts(context, { actor, ids, approve, now: morning });
  };
  return { context, database, administrator, signUp, join, newInvitation, decide, tryPassword };
}

const waits = { kind: "denied", isPending: true };
const one = { kind: "done", decided: 1, others: 0 };
const none = { kind: "done", decided: 0, others: 1 };

async function waiting(...request: Parameters<typeof pendingAccounts>): Promise<string[]> {
  return (await pendingAccounts(...request)).accounts.map(({ username }) => username);
}

describe("approval", () => {
  test("an account that waits can log in, and neither rate nor write, by itself or by a token", async () => {
    const { context, database, administrator, join, decide, tryPassword } = await site("approval");
    const { slug } = await addPost(database, administrator);
    const user = await join("alder");
    expect(user.isPending).toBe(true);
    const loggedIn = await tryPassword("alder", password);
    expect(loggedIn).toMatchObject({ kind: "logged-in", user: { isPending: true } });
    const made = await createApiToken(context, {
      session: await sessionFor(context, user),
      address,
      now: morning,
      input: { name: "script", scopes: ["rate"], lifetime: "90", currentPassword: password },
    });
    const token = made.kind === "created" ? made.token : expect.fail(made.kind);
    const accepted = await acceptApiToken(context, { token, address, now: morning });
    const byToken = accepted.kind === "accepted" ? accepted.user : expect.fail(accepted.kind);
    for (const actor of [user, byToken]) {
      const request = { user: actor, address, now: morning };
      expect(await createRating(context, { ...request, slug, input: { score: 0 } })).toEqual(waits);
      expect(await createPost(context, { ...request, input: { title: "Mine", content: "x" } })).toEqual(
        waits,
      );
    }
    expect(await decide("alder", true)).toEqual(one);
    const again = await logIn(context, { input: { username: "alder", password }, address, now: morning });
    if (again.kind !== "logged-in") throw new Error(again.kind);
    const request = { user: again.user, address, now: morning, slug, input: { score: 0 } };
    expect(await createRating(context, request)).toEqual({ kind: "saved", score: 0 });
  });

  test("the first account, an operator's and an invited one wait for no approval", async () => {
    const { context, join, newInvitation } = await site("approval");
    expect((await join("birch", await newInvitation())).isPending).toBeUndefined();
    const input = { username: "cedar", email: "cedar@example.org", password };
    const created = await createAccount(context, { input, isAdministrator: false, now: morning });
    expect(created.kind === "registered" && created.user.isPending).toBeUndefined();
    expect((await pendingAccounts(context)).count).toBe(0);

    const { context: open } = accounts();
    const empty = { ...open, registration: { ...open.registration, mode: "approval" as const } };
    const first = { ...input, ...(await solvedFor(empty, morning)) };
    expect(await register(empty, { input: first, address, now: morning })).toMatchObject({
      kind: "registered",
      user: { isAdministrator: true },
    });
    expect((await pendingAccounts(empty)).count).toBe(0);
  });

  test("approves once, also when two administrators decide at the same moment", async () => {
    const { context, database, join, decide } = await site("approval");
    const other = await addUser(database, "other", { isAdministrator: true });
    await join("alder");
    const outcomes = await Promise.all([decide("alder", true), decide("alder", true, other)]);
    expect(outcomes).toHaveLength(2);
    for (const outcome of [one, none]) expect(outcomes).toContainEqual(outcome);
    expect(await decide("alder", false)).toEqual(none);
    expect(await decide("nobody", true)).toEqual(none);
    expect(await database.users.byUsernameKey("alder")).toMatchObject({ pendingSince: null });
    expect((await pendingAccounts(context)).count).toBe(0);
  });

  test("removes a rejected account, whose name and email are free again", async () => {
    const { context, join, decide } = await site("approval");
    await join("alder");
    await join("birch");
    expect(await waiting(context)).toEqual(["alder", "birch"]);
    expect(await decide("alder", false)).toEqual(one);
    expect(await waiting(context)).toEqual(["birch"]);
    expect((await join("alder")).isPending).toBe(true);
  });

  test("decides on accounts by name, and counts names without an account that waits", async () => {
    const { context, administrator, join } = await site("approval");
    for (const name of ["alder", "birch", "cedar"]) await join(name);
    const decided = (approve: boolean, usernames: string[], actor = administrator) =>
      decideNamedAccounts(context, { actor, approve, usernames, now: morning });
    const named = ["ALDER", "birch", "alder", "nobody"];
    expect(await decided(true, named)).toEqual({ kind: "done", decided: 2, others: 1 });
    const reader = { ...administrator, id: administrator.id + 1 };
    expect(await decided(true, ["cedar"], reader)).toEqual({ kind: "forbidden" });
    expect(await decided(false, ["birch", "cedar"])).toEqual({ kind: "done", decided: 1, others: 1 });
    expect(await waiting(context)).toEqual([]);
  });

  test("pages through a thousand accounts, finds them by name, and decides on a page in one act", async () => {
    const { context, database, administrator } = await site("approval");
    await database.transaction(async () => {
      for (let number = 1; number <= 1_000; number += 1)
        await database.users.insert(userNamed(`waiting-${number}`, { pendingSince: morning + number }));
    });
    const page = await pendingAccounts(context, { page: 2 });
    expect(page).toMatchObject({ count: 1_000, page: 2, pages: 20 });
    expect(page.accounts[0]).toMatchObject({ username: "waiting-51", pendingSince: morning + 51 });
    expect(await pendingAccounts(context, { page: 99 })).toMatchObject({ page: 20 });
    expect(await waiting(context, { search: "WAITING-100" })).toEqual(["waiting-100", "waiting-1000"]);
    const ids = page.accounts.map(({ id }) => id);
    const act = { actor: administrator, ids, approve: false, now: morning };
    expect(await decideAccounts(context, act)).toEqual({ kind: "done", decided: decisionMaximum, others: 0 });
    expect(await decideAccounts(context, act)).toEqual({ kind: "done", decided: 0, others: decisionMaximum });
    expect((await pendingAccounts(context)).count).toBe(1_000 - decisionMaximum);
    expect((await latestChanges(context, administrator)).changes).toMatchObject([
      { kind: "reject", by: "keeper", accounts: decisionMaximum },
    ]);
  });

  test("shows which accounts wait that were registered from one network, without its address", async () => {
    const { context, database, signUp, decide } = await site("approval");
    for (const [name, from] of [
      ["alder", "192.0.2.1"],
      ["birch", "192.0.2.200"],
      ["cedar", "198.51.100.7"],
      ["elm", "unknown"],
    ] as const)
      expect((await signUp(name, { from })).kind).toBe("registered");
    const { accounts: found } = await pendingAccounts(context);
    expect(found.map(({ ofNetwork }) => ofNetwork)).toEqual([2, 2, 1, 0]);
    const network = found[0]?.network ?? "";
    expect(network).toMatch(/^[\da-f]{16}$/);
    expect(await waiting(context, { network })).toEqual(["alder", "birch"]);
    expect(await decide("alder", true)).toEqual(one);
    expect(await database.users.byUsernameKey("alder")).toMatchObject({ pendingNetwork: null });
    expect(await waiting(context, { network })).toEqual(["birch"]);
  });

  test("lets only administrators decide, with the rights that they have now", async () => {
    const { database, administrator, join, decide } = await site("approval");
    const user = await join("alder");
    expect(await decide("alder", true, user)).toEqual({ kind: "forbidden" });
    await addUser(database, "other", { isAdministrator: true });
    await database.users.setAdministrator(administrator.id, false);
    expect(await decide("alder", true)).toEqual({ kind: "forbidden" });
  });

  test("makes no account that waits an administrator when the last one leaves", async () => {
    const { context, database, join } = await site("approval");
    const pending = await join("alder");
    const input = { username: "birch", email: "birch@example.org", password };
    const created = await createAccount(context, { input, isAdministrator: true, now: morning });
    if (created.kind !== "registered") throw new Error(created.kind);
    await database.users.setDisabledAt(1, morning);
    const session = await sessionFor(context, created.user);
    const leaving = { session, input: { currentPassword: password }, address, now: morning };
    expect(await deleteAccount(context, leaving)).toEqual({ kind: "deleted" });
    expect(await database.users.byId(pending.id)).toMatchObject({ isAdministrator: false });
  });
});

describe("invitation", () => {
  const invitationOnly = { kind: "not-open", reason: "invitation-only" };
  const bad = { kind: "not-open", reason: "bad-invitation" };

  test("takes an account with an invitation only, and each invitation once", async () => {
    const { signUp, newInvitation } = await site("invitation");
    expect(await signUp("alder")).toEqual(invitationOnly);
    for (const invitation of ["", "made-up", "0".repeat(43)])
      expect(await signUp("alder", { invitation })).toEqual(bad);
    const invitation = await newInvitation();
    expect((await signUp("alder", { invitation })).kind).toBe("registered");
    expect(await signUp("birch", { invitation })).toEqual(bad);
  });

  test("makes one account when an invitation is used by many at the same moment", async () => {
    const { database, signUp, newInvitation } = await site("invitation");
    const invitation = await newInvitation();
    const outcomes = await Promise.all(
      ["alder", "birch", "cedar", "elm"].map((name) => signUp(name, { invitation })),
    );
    expect(outcomes.map(({ kind }) => kind).toSorted()).toEqual([
      "not-open",
      "not-open",
      "not-open",
      "registered",
    ]);
    expect(await database.users.all()).toHaveLength(2);
  });

  test("keeps an invitation for another try when a name is taken", async () => {
    const { signUp, newInvitation } = await site("invitation");
    const invitation = await newInvitation();
    expect((await signUp("keeper", { invitation })).kind).toBe("taken");
    expect((await signUp("alder", { invitation })).kind).toBe("registered");
  });

  test("ends at its time, and when it is withdrawn; a used one stays in the list", async () => {
    const { context, administrator, signUp, newInvitation } = await site("invitation");
    const [late, withdrawn, used] = [await newInvitation(), await newInvitation(), await newInvitation()];
    expect(await signUp("alder", { invitation: late, now: morning + 7 * dayMs })).toEqual(bad);
    expect(await openInvitation(context, late, morning + 7 * dayMs - 1)).toBeDefined();
    const [, second] = (await listInvitations(context, morning)).invitations;
    await withdrawInvitation(context, { actor: administrator, id: second?.id ?? 0, now: morning });
    expect(await signUp("alder", { invitation: withdrawn })).toEqual(bad);
    expect((await signUp("alder", { invitation: used })).kind).toBe("registered");
    const { invitations: listed } = await listInvitations(context, morning + 8 * dayMs);
    expect(listed.map(({ status, usedBy }) => [status, usedBy])).toEqual([
      ["used", "alder"],
      ["expired", null],
    ]);
    for (const { id } of listed)
      await withdrawInvitation(context, { actor: administrator, id, now: morning });
    const left = (await listInvitations(context, morning)).invitations;
    expect(left.map(({ status }) => status)).toEqual(["used"]);
  });

  test("is on record when it is made, used and withdrawn", async () => {
    const { context, administrator, join, newInvitation } = await site("invitation");
    await join("alder", await newInvitation());
    await newInvitation();
    const [open] = (await listInvitations(context, morning)).invitations;
    const withdraw = () =>
      withdrawInvitation(context, { actor: administrator, id: open?.id ?? 0, now: morning + 1 });
    // The second time there is none.
    await Promise.all([withdraw(), withdraw()]);
    const { changes, hasOlder } = await latestChanges(context, administrator);
    expect(hasOlder).toBe(false);
    const made = { kind: "make-invitation", actor: "administrator", by: "keeper", why: "For Alder" };
    expect(changes).toMatchObject([
      { ...made, kind: "withdraw-invitation", at: morning + 1, usernames: [] },
      { ...made, at: morning, usernames: [] },
      { ...made, kind: "use-invitation", actor: "owner", by: null, usernames: ["alder"] },
      made,
    ]);
  });

  test("ends while its maker is not an administrator who can log in", async () => {
    const { context, database, signUp, newInvitation } = await site("invitation");
    const maker = await addUser(database, "maker", { isAdministrator: true });
    const [first, second] = [await newInvitation(maker), await newInvitation(maker)];
    const listed = async () => (await listInvitations(context, morning)).invitations;
    const disable = (disabled: boolean) =>
      changeSelected(context, {
        actor: null,
        input: { usernames: ["maker"], disabled, why: "x", dryRun: false },
        now: morning,
      });
    await disable(true);
    expect(await openInvitation(context, first, morning)).toBeUndefined();
    expect(await signUp("alder", { invitation: first })).toEqual(bad);
    expect(await listed()).toMatchObject(Array(2).fill({ status: "ended", createdBy: "maker" }));
    await disable(false);
    expect((await signUp("alder", { invitation: first })).kind).toBe("registered");
    await setRoleByOperator(context, {
      username: "maker",
      role: "administrator",
      given: false,
      now: morning,
    });
    expect(await signUp("birch", { invitation: second })).toEqual(bad);
  });

  test("lists all invitations, a page at a time, with their makers", async () => {
    const { context, newInvitation } = await site("invitation");
    for (let number = 0; number <= invitationsPerPage; number += 1) await newInvitation();
    const ids = [];
    for (const page of [1, 2, 3]) {
      const listed = await listInvitations(context, morning, page);
      expect(listed.pages).toBe(2);
      ids.push(listed.invitations.map(({ id }) => id));
    }
    expect(ids.map(({ length }) => length)).toEqual([invitationsPerPage, 1, 1]);
    expect(ids[1]).toEqual([1]);
  });

  test("stores no token, and lets only administrators invite", async () => {
    const { context, database, newInvitation } = await site("invitation");
    const token = await newInvitation();
    const saved = JSON.stringify(database.sqlite.prepare("select * from invitations").all());
    expect(saved).not.toContain(token);
    const reader = await addUser(database, "reader");
    const request = { actor: reader, input: { note: "Me", days: "7" }, now: morning };
    expect(await invite(context, request)).toEqual({ kind: "forbidden" });
    expect(await withdrawInvitation(context, { actor: reader, id: 1, now: morning })).toEqual({
      kind: "forbidden",
    });
  });

  test("lets an invited person in while the site's limit is used up", async () => {
    const limits = limitsWith({ LIMITS: '{"register.site": {"capacity": 1, "leakPerSecond": 0.0001}}' });
    const { signUp, newInvitation } = await site("approval", { limits });
    expect((await signUp("alder")).kind).toBe("registered");
    expect(await signUp("birch")).toMatchObject({ kind: "limited", refusal: { policy: "register.site" } });
    expect((await signUp("birch", { invitation: await newInvitation() })).kind).toBe("registered");
  });
});

test.each(["approved", "invited"] as const)(
  "with WHO_MAY_WRITE=%s, makes an account with an invitation a writer and any other a reader",
  async (whoMayWrite) => {
    const { context, signUp, newInvitation } = await site("open", { whoMayWrite });
    expect(await signUp("alder", { invitation: await newInvitation() })).toMatchObject({
      user: { isWriter: true },
    });
    expect(await signUp("birch")).not.toMatchObject({ user: { isWriter: true } });
    expect((await signUp("cedar", { invitation: "none" })).kind).toBe("not-open");
    const written = await Promise.all(
      ["alder", "birch"].map(async (name) => {
        const row = await context.database.users.byUsernameKey(name);
        return row?.isWriter;
      }),
    );
    expect(written).toEqual([true, false]);
  },
);

test("takes no account when closed, not even the first", async () => {
  const { signUp, newInvitation } = await site("closed");
  const closed = { kind: "not-open", reason: "closed" };
  expect(await signUp("alder")).toEqual(closed);
  expect(await signUp("alder", { invitation: await newInvitation() })).toEqual(closed);
});

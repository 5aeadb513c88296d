import { expect, test } from "vitest";
import { accounts, address, password, sessionFor } from "../../testing/accounts.ts";
import { limitsWith, morning } from "../../testing/content.ts";
import { setDisabled } from "../account-changes/index.ts";
import { removeAll } from "../removals/index.ts";
import { dayMs } from "../time/units.ts";
import { changePassword, deleteAccount, logOutEverywhere, type User } from "../users/index.ts";
import { acceptApiToken, apiTokensOf, createApiToken, revokeApiToken, tokensMaximum } from "./index.ts";

function tokens(limits = limitsWith()) {
  const { context, join } = accounts(limits);
  const create = async (user: User, input: Record<string, unknown> = {}) =>
    createApiToken(context, {
      session: await sessionFor(context, user),
      input: { name: "a script", scopes: ["read"], lifetime: "30", currentPassword: password, ...input },
      address,
      now: morning,
    });
  /** Creates a token, or fails the test. */
  const newToken = async (user: User, input: Record<string, unknown> = {}) => {
    const outcome = await create(user, input);
    if (outcome.kind !== "created") throw new Error(`No token: ${JSON.stringify(outcome)}`);
    return outcome.token;
  };
  const accept = (token: string, { now = morning, from = address } = {}) =>
    acceptApiToken(context, { token, address: from, now });
  const list = (user: User, now = morning) => apiTokensOf(context, user, now);
  return { context, join, create, newToken, accept, list };
}

test("authenticates its owner with the chosen scopes, never as administrator", async () => {
  const { join, newToken, accept, list } = tokens();
  const { user } = await join("alder");
  expect(user.isAdministrator).toBe(true);
  const token = await newToken(user, { scopes: ["write", "read", "write"] });
  expect(token).toMatch(/^weir_[A-Za-z0-9_-]{43}$/);
  expect(await accept(token)).toEqual({
    kind: "accepted",
    user: { ...user, isAdministrator: false },
    scopes: ["read", "write"],
  });
  expect(await list(user)).toEqual([
    {
      id: 1,
      name: "a script",
      scopes: ["read", "write"],
      createdAt: morning,
      lastUsedAt: morning,
      expiresAt: morning + 30 * dayMs,
      isExpired: false,
    },
  ]);
});

test("acts as an administrator only with the scope for it, and while its owner is one", async () => {
  const { context, join, newToken, create, accept } = tokens();
  const { user } = await join("alder");
  const token = await newToken(user, { scopes: ["admin", "write"] });
  expect(await accept(token)).toMatchObject({
    user: { isAdministrator: false },
    administrator: { id: user.id, isAdministrator: true },
  });
  const required = { ...context, adminSecondFactor: "required" as const };
  expect(await acceptApiToken(required, { token, address, now: morning })).toMatchObject({
    administrator: { isAdministrator: false, lacksSecondFactor: true },
  });
  const { user: other } = await join("birch");
  expect(await create(other, { scopes: ["admin"] })).toMatchObject({
    kind: "invalid",
    errors: { scopes: [/administrator/] },
  });
  await context.database.users.setAdministrator(user.id, false);
  expect(await accept(token)).not.toHaveProperty("administrator");
});

test("stores only a hash of the token", async () => {
  const { context, join, newToken } = tokens();
  const token = await newToken((await join("alder")).user);
  const row = JSON.stringify(context.database.sqlite.prepare("select * from api_tokens").get());
  expect(row).toMatch(/"token_hash":"[0-9a-f]{64}"/);
  expect(row).not.toContain(token.slice(5, 20));
});

test("requires the password and a name to create a token", async () => {
  const { join, create, list } = tokens();
  const { user } = await join("alder");
  expect(await create(user, { currentPassword: "wrong" })).toEqual({ kind: "wrong" });
  for (const [field, value] of [
    ["name", " "],
    ["name", "x".repeat(61)],
    ["scopes", []],
    ["scopes", ["read", "root"]],
    ["scopes", "read"],
    ["lifetime", "forever"],
    ["currentPassword", ""],
  ] as const) {
    const outcome = await create(user, { [field]: value });
    expect(outcome.kind === "invalid" && Object.keys(outcome.errors)).toEqual([field]);
  }
  expect(await list(user)).toEqual([]);
});

test("limits wrong passwords", async () => {
  const { join, create } = tokens(limitsWith({ LIMITS: '{"password.user": {"capacity": 2}}' }));
  const { user } = await join("alder");
  const kinds = [];
  for (const currentPassword of ["a", "b", password])
    kinds.push((await create(user, { currentPassword })).kind);
  expect(kinds).toEqual(["wrong", "wrong", "limited"]);
});

test("keeps names unique and limits the number of tokens per user", async () => {
  const { join, create, newToken } = tokens(
    limitsWith({ LIMITS: '{"login.address": {"capacity": 1000}, "login.account": {"capacity": 1000}}' }),
  );
  const { user } = await join("alder");
  const { user: other } = await join("birch");
  await newToken(user, { name: "0" });
  expect(await create(user, { name: "0" })).toMatchObject({
    kind: "invalid",
    errors: { name: [expect.stringContaining("already")] },
  });
  await newToken(other, { name: "0" });
  for (let number = 1; number < tokensMaximum; number += 1) await newToken(user, { name: String(number) });
  expect(await create(user, { name: "one more" })).toMatchObject({
    kind: "invalid",
    errors: { form: [expect.stringContaining("50")] },
  });
});

test("rejects an expired token, and still lists it", async () => {
  const { join, newToken, accept, list } = tokens();
  const { user } = await join("alder");
  const week = await newToken(user, { name: "week", lifetime: "7" });
  const lasting = await newToken(user, { name: "lasting", lifetime: "never" });
  const end = morning + 7 * dayMs;
  expect((await accept(week, { now: end - 1 })).kind).toBe("accepted");
  expect(await accept(week, { now: end })).toEqual({ kind: "bad-token" });
  expect((await accept(lasting, { now: end + 3_650 * dayMs })).kind).toBe("accepted");
  expect((await list(user, end)).map(({ name, isExpired }) => [name, isExpired])).toEqual([
    ["lasting", false],
    ["week", true],
  ]);
});

test("lets only the owner revoke a token, at once", async () => {
  const { context, join, newToken, accept, list } = tokens();
  const { user } = await join("alder");
  const { user: other } = await join("birch");
  const token = await newToken(user);
  const id = (await list(user))[0]?.id ?? 0;
  await revokeApiToken(context, { user: other, id });
  expect((await accept(token)).kind).toBe("accepted");
  await revokeApiToken(context, { user, id });
  expect(await accept(token)).toEqual({ kind: "bad-token" });
  expect(await list(user)).toEqual([]);
});

test("rejects a disabled user's tokens until the user is enabled", async () => {
  const { context, join, newToken, accept } = tokens();
  const { user: actor } = await join("alder");
  const { user } = await join("birch");
  const token = await newToken(user);
  const set = (disabled: boolean) =>
    setDisabled(context, { actor, username: "birch", input: { disabled, why: "A raid." }, now: morning });
  await set(true);
  expect(await accept(token)).toEqual({ kind: "bad-token" });
  await set(false);
  expect((await accept(token)).kind).toBe("accepted");
});

test("keeps tokens after a password change or log-out everywhere, and removes them with the account", async () => {
  const { context, join, newToken, accept } = tokens();
  const { user } = await join("alder");
  const token = await newToken(user);
  await logOutEverywhere(context, user);
  const input = { currentPassword: password, newPassword: "new password 1" };
  await changePassword(context, { session: await sessionFor(context, user), input, address, now: morning });
  expect((await accept(token)).kind).toBe("accepted");
  const gone = { currentPassword: input.newPassword };
  await deleteAccount(context, {
    session: await sessionFor(context, user),
    input: gone,
    address,
    now: morning,
  });
  expect(await accept(token)).toEqual({ kind: "bad-token" });
  await removeAll(context, () => morning, { pauseMs: 0 });
  expect(context.database.sqlite.prepare("select * from api_tokens").all()).toEqual([]);
});

test("limits each token separately", async () => {
  const limits = '{"api.token": {"capacity": 2, "refillPerSecond": 0.1}}';
  const { join, newToken, accept } = tokens(limitsWith({ LIMITS: limits }));
  const { user } = await join("alder");
  const [busy, calm] = [await newToken(user, { name: "busy" }), await newToken(user, { name: "calm" })];
  expect([(await accept(busy)).kind, (await accept(busy)).kind]).toEqual(["accepted", "accepted"]);
  expect(await accept(busy, { from: "192.0.2.7" })).toMatchObject({
    kind: "limited",
    refusal: { policy: "api.token", decision: { retryAfterMs: 10_000 } },
  });
  expect((await accept(calm)).kind).toBe("accepted");
  expect((await accept(busy, { now: morning + 10_000 })).kind).toBe("accepted");
});

test("limits bad tokens by address, without a cost for passwords or good tokens", async () => {
  const limits = '{"login.address": {"capacity": 2, "leakPerSecond": 0.1}}';
  const { context, join, newToken, accept, create } = tokens(limitsWith({ LIMITS: limits }));
  const { user } = await join("alder");
  const token = await newToken(user);
  context.database.sqlite.exec("delete from limiter_states");
  const made = `weir_${"A".repeat(43)}`;
  expect(await accept(made)).toEqual({ kind: "bad-token" });
  expect(await accept("weir_short")).toEqual({ kind: "bad-token" });
  expect(await accept(made)).toMatchObject({ kind: "bad-tokens", refusal: { policy: "login.address" } });
  expect(await accept(made, { from: "192.0.2.7" })).toEqual({ kind: "bad-token" });
  expect((await accept(token)).kind).toBe("accepted");
  expect((await create(user, { name: "another" })).kind).toBe("created");
});

test("saves the last use once a minute", async () => {
  const { join, newToken, accept, list } = tokens();
  const { user } = await join("alder");
  const token = await newToken(user);
  const lastUsedAt = async () => (await list(user))[0]?.lastUsedAt;
  expect(await lastUsedAt()).toBeNull();
  for (const [now, written] of [
    [morning, morning],
    [morning + 59_999, morning],
    [morning + 60_000, morning + 60_000],
  ] as const) {
    await accept(token, { now });
    expect(await lastUsedAt()).toBe(written);
  }
});

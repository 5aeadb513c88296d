import { expect, test } from "vitest";
import { accounts, password, sessionFor } from "../../testing/accounts.ts";
import { morning } from "../../testing/content.ts";
import { changePassword, register } from "./index.ts";
import { createAccount, resetPassword } from "./manage.ts";
import { createPasswordHasher } from "./password.ts";
import { weaknessOf } from "./weak-passwords.ts";

const owner = { username: "Zoë-17", email: "brook.lane@example.org" };
const siteUrl = "https://www.riverside.example";

test.each(["password", "12345678", "qwertyuiop", "PassWord", "  password", "ｐａｓｓｗｏｒｄ", "trustno1"])(
  "%j is refused as one of the most common passwords",
  async (common) =>
    expect(await weaknessOf(common, owner, siteUrl)).toEqual([expect.stringContaining("most common")]),
);

test.each([
  "zoë-17zoë-17",
  "ZOE\u0308 17 2026",
  "brook.lane@example.org",
  "BROOK LANE",
  "Brook.Lane!1",
  "example.org",
  "weirweir",
  "Weir2026",
  "riverside",
  "riverside.example",
])("%j is refused as little more than a name", async (name) =>
  expect(await weaknessOf(name, owner, siteUrl)).toEqual([expect.stringContaining("username")]),
);

test.each([
  "quiet water 8",
  "zoë rows boats",
  "the brook runs by",
  "riverside picnic",
  "رمز عبور من",
  "🌊".repeat(8),
])("%j is accepted", async (good) => expect(await weaknessOf(good, owner, siteUrl)).toBeUndefined());

test("refuses an obvious password on registration, change, and by the operator, and never repeats it", async () => {
  const { context, join, tryPassword } = accounts();
  const { user } = await join("riverbed");
  const own = "Riverbed1";
  const change = async (newPassword: string) =>
    changePassword(context, {
      session: await sessionFor(context, user),
      input: { currentPassword: password, newPassword },
      address: "x",
      now: morning,
    });
  const reset = (newPassword: string) =>
    resetPassword(context, { username: "riverbed", input: { newPassword }, now: morning });
  const create = (secret: string) => {
    const input = { username: "riverbed1", email: "new@example.org", password: secret };
    return createAccount(context, { input, isAdministrator: false, now: morning });
  };
  for (const secret of ["sunshine", own, own.toUpperCase()])
    for (const [act, field] of [
      [change, "newPassword"],
      [reset, "newPassword"],
      [create, "password"],
    ] as const) {
      const outcome = await act(secret);
      expect(outcome).toEqual({
        kind: "invalid",
        errors: { [field]: [expect.stringContaining("Choose another")] },
      });
      expect(JSON.stringify(outcome)).not.toContain(secret);
    }
  expect((await change("riverbed@example.org")).kind).toBe("invalid");
  expect((await tryPassword("riverbed", password)).kind).toBe("logged-in");
});

test("refuses an obvious password on registration before its challenge is looked at", async () => {
  const { context } = accounts();
  const input = { username: "alder", email: "alder@example.org", password: "iloveyou" };
  expect(await register(context, { input, address: "192.0.2.1", now: morning })).toMatchObject({
    kind: "invalid",
    errors: { password: [expect.stringContaining("most common")] },
  });
});

test("a common password from before keeps working", async () => {
  const { context, join, tryPassword } = accounts();
  const { user } = await join("alder");
  const hasher = createPasswordHasher();
  const hashed = await hasher.hash("iloveyou");
  await hasher.close();
  if (hashed.kind !== "hashed") throw new Error("There is room.");
  await context.database.users.setPasswordAndEndSessions(user.id, hashed.hash);
  expect((await tryPassword("alder", "iloveyou")).kind).toBe("logged-in");
});

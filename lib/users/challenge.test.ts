import { describe, expect, test } from "vitest";
import { accounts, address, password, solvedFor } from "../../testing/accounts.ts";
import { limitsWith, morning } from "../../testing/content.ts";
import { issueChallenge } from "../challenge/index.ts";
import { solveChallenge } from "../challenge/solve.ts";
import { parseSettings } from "../settings/env.ts";
import { hourMs } from "../time/units.ts";
import { register, registrationChallenge } from "./index.ts";
import { registrationFrom } from "./settings.ts";

/**
 * A context whose forms wait ten seconds, and a function to register.
 * It takes a name and the other fields.
 */
function setting() {
  const { context } = accounts();
  const settings = parseSettings({ REGISTRATION_CHALLENGE_COST: "1", REGISTRATION_WAIT_SECONDS: "10" });
  const registration = registrationFrom(settings, () => "a secret of the tests only");
  const slow = { ...context, registration: { ...context.registration, ...registration } };
  const send = (username: string, proof: object, { now = morning, mayWait = false } = {}) => {
    const input = { username, email: `${username}@example.org`, password, ...proof };
    return register(slow, { input, address, now, mayWait });
  };
  return { context: slow, send };
}

const faultOf = async (outcome: ReturnType<typeof register>) => {
  const { kind, ...rest } = await outcome;
  return "fault" in rest ? rest.fault.fault : kind;
};

describe("attacks on a registration's challenge", () => {
  test("refuses a registration without one", async () => {
    const { send } = setting();
    expect(await faultOf(send("alder", {}))).toBe("missing");
  });

  test("makes one account with a solution that is sent twice", async () => {
    const { context, send } = setting();
    const proof = await solvedFor(context, morning);
    expect((await send("alder", proof)).kind).toBe("registered");
    expect(await faultOf(send("birch", proof))).toBe("used");
  });

  test("makes one account with a solution that is sent by many at the same moment", async () => {
    const { context, send } = setting();
    const proof = await solvedFor(context, morning);
    const names = ["alder", "birch", "cedar", "elm", "fir"];
    const kinds = await Promise.all(names.map((name) => faultOf(send(name, proof))));
    expect(kinds.filter((kind) => kind === "registered")).toHaveLength(1);
    expect(kinds.filter((kind) => kind === "used")).toHaveLength(4);
    expect(await context.database.users.all()).toHaveLength(1);
  });

  test("refuses an expired one, and keeps a used one until then", async () => {
    const { context, send } = setting();
    const late = await solvedFor(context, morning);
    expect(await faultOf(send("alder", late, { now: morning + hourMs + 1 }))).toBe("expired");
    const proof = await solvedFor(context, morning);
    expect((await send("alder", proof, { now: morning + hourMs })).kind).toBe("registered");
    expect(await faultOf(send("birch", proof, { now: morning + hourMs }))).toBe("used");
    expect(await faultOf(send("birch", proof, { now: morning + hourMs + 1 }))).toBe("expired");
  });

  test("refuses one that was changed, signed by others or issued for another purpose", async () => {
    const { context, send } = setting();
    const { challenge, solution } = await solvedFor(context, morning);
    const settings = context.registration.challenge;
    if (!challenge || !settings) throw new Error("A challenge is issued");
    const { parameters, signature } = challenge;
    const easier = { ...parameters, keyPrefix: "0" };
    const later = { ...parameters, data: { ...parameters.data, expiresAt: morning + 2 * hourMs } };
    const older = { ...parameters, data: { ...parameters.data, issuedAt: 0 } };
    for (const changed of [easier, later, older])
      expect(
        await faultOf(
          send("alder", { challenge: { parameters: changed, signature }, solution }, { mayWait: true }),
        ),
      ).toBe("forged");
    const others = await issueChallenge({ ...settings, secret: "another secret" }, "register", morning);
    const another = await issueChallenge(settings, "another purpose", morning);
    for (const forged of [others, another, { parameters, signature: "" }])
      expect(
        await faultOf(send("alder", { challenge: forged, solution: await solveChallenge(forged) })),
      ).toBe("forged");
  });

  test("refuses a missing or a wrong solution", async () => {
    const { context, send } = setting();
    const { challenge, solution } = await solvedFor(context, morning);
    const { solution: others } = await solvedFor(context, morning);
    const derivedKey = "00".repeat(16);
    for (const wrong of [undefined, others, { counter: 0, derivedKey }, { ...solution, derivedKey }])
      expect(await faultOf(send("alder", { challenge, solution: wrong }))).toBe("unsolved");
  });

  test("checks as many wrong solutions from one address as it may register accounts", async () => {
    const { context, send } = setting();
    const { challenge } = await solvedFor(context, morning);
    const wrong = { challenge, solution: { counter: 0, derivedKey: "00".repeat(16) } };
    const kinds: string[] = [];
    for (let count = 0; count < 31; count += 1) kinds.push(await faultOf(send("alder", wrong)));
    expect(kinds).toEqual([...Array<string>(30).fill("unsolved"), "limited"]);
  });

  test("stores nothing for thousands of challenges that are issued, nor for refused ones", async () => {
    const { context, send } = setting();
    const states = context.database.sqlite.prepare("select count(*) from limiter_states").pluck();
    for (let count = 0; count < 2_000; count += 1) await registrationChallenge(context, morning);
    expect(await faultOf(send("alder", { challenge: await registrationChallenge(context, morning) }))).toBe(
      "unsolved",
    );
    expect(states.get()).toBe(0);
  });
});

test("takes the same solution again after a name that was taken", async () => {
  const { context, send } = setting();
  await send("alder", await solvedFor(context, morning));
  const proof = await solvedFor(context, morning);
  expect((await send("ALDER", proof)).kind).toBe("taken");
  expect((await send("birch", proof)).kind).toBe("registered");
});

test("takes one without a solution from a form that is old enough, once", async () => {
  const { context, send } = setting();
  const challenge = await registrationChallenge(context, morning);
  const sent = (username: string, afterMs: number) =>
    send(username, { challenge }, { now: morning + afterMs, mayWait: true });
  expect(await sent("alder", 9_999)).toEqual({
    kind: "challenge",
    fault: { fault: "too-early", retryAfterMs: 1 },
  });
  expect((await sent("alder", 10_000)).kind).toBe("registered");
  expect(await faultOf(sent("birch", 10_000))).toBe("used");
  expect(await faultOf(sent("birch", hourMs + 1))).toBe("expired");
});

test("takes a solved one from a form at once", async () => {
  const { context, send } = setting();
  const proof = await solvedFor(context, morning);
  expect((await send("alder", proof, { mayWait: true })).kind).toBe("registered");
});

test("issues and takes no challenge with REGISTRATION_CHALLENGE=off", async () => {
  const { context } = accounts();
  const settings = parseSettings({ REGISTRATION_CHALLENGE: "off" });
  const registration = registrationFrom(settings, () => "unused");
  const off = { ...context, registration: { ...context.registration, ...registration } };
  expect(await registrationChallenge(off, morning)).toBeNull();
  const input = { username: "alder", email: "alder@example.org", password };
  expect((await register(off, { input, address, now: morning })).kind).toBe("registered");
});

describe("attacks on the limit of the whole site", () => {
  const limits = limitsWith({ LIMITS: '{"register.site": {"capacity": 2, "leakPerSecond": 0.0001}}' });

  test("uses nothing of it up for names that are taken, or for a solution that was used", async () => {
    const { context, signUp } = accounts(limits);
    const proof = await solvedFor(context, morning);
    const send = (username: string) => {
      const input = { username, email: `${username}@example.org`, password, ...proof };
      return register(context, { input, address, now: morning });
    };
    expect((await signUp("alder")).kind).toBe("registered");
    for (let count = 0; count < 5; count += 1) expect((await send("alder")).kind).toBe("taken");
    const kinds = await Promise.all(["birch", "cedar", "elm", "fir"].map((name) => faultOf(send(name))));
    expect(kinds.toSorted()).toEqual(["registered", "used", "used", "used"]);
    expect(await signUp("gorse")).toMatchObject({ kind: "limited", refusal: { policy: "register.site" } });
  });

  test("keeps a solution for another try when it refuses", async () => {
    const { context, signUp } = accounts(limits);
    for (const name of ["alder", "birch"]) expect((await signUp(name)).kind).toBe("registered");
    const proof = await solvedFor(context, morning);
    const input = { username: "cedar", email: "cedar@example.org", password, ...proof };
    expect((await register(context, { input, address, now: morning })).kind).toBe("limited");
    await context.guard.forget([[limits["register.site"], "all"]]);
    expect((await register(context, { input, address, now: morning })).kind).toBe("registered");
  });
});

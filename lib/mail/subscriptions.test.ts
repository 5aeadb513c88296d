import { expect, test } from "vitest";
import { contextOf, limitsWith, morning } from "../../testing/content.ts";
import { temporaryDatabase } from "../../testing/database.ts";
import { mailSettings } from "../../testing/mail-settings.ts";
import { solveChallenge } from "../challenge/solve.ts";
import { requestSubscription, subscriptionChallenge } from "./subscriptions.ts";

test("a used challenge is refused and not counted by the limit", async () => {
  const limits = limitsWith({
    LIMITS: JSON.stringify({ "subscribe.address": { capacity: 2, leakPerSecond: 0.001 } }),
  });
  const context = { ...contextOf(temporaryDatabase(), limits), mail: mailSettings };
  const solved = async () => {
    const challenge = await subscriptionChallenge(context, morning);
    if (!challenge) throw new Error("A challenge is issued");
    return { challenge, solution: await solveChallenge(challenge) };
  };
  const request = (email: string, proof: object) =>
    requestSubscription(context, {
      input: { email, ...proof },
      address: "192.0.2.1",
      locale: "en",
      now: morning,
    });
  const used = await solved();
  expect(await request("ada@example.org", used)).toEqual({ kind: "requested" });
  for (const email of ["birch@example.org", "cedar@example.org"])
    expect(await request(email, used)).toEqual({ kind: "challenge", fault: { fault: "used" } });
  expect(await request("elm@example.org", await solved())).toEqual({ kind: "requested" });
  expect(await request("fir@example.org", await solved())).toMatchObject({ kind: "limited" });
});

/** Registering in tests, with limits and challenges, from one address. */
import { issuedChallengeAnswer } from "../lib/api/accounts.ts";
import { solveChallenge } from "../lib/challenge/solve.ts";

/** Settings of a server on which one address makes many accounts. */
export const manyAccounts = {
  "register.address": { capacity: 500 },
  "register.network": { capacity: 500 },
  "register.wide-network": { capacity: 500 },
  "register.site": { capacity: 500 },
  "register.known-networks": { capacity: 500 },
};

/** Settings for quick challenges, and for forms that are sent at once. */
export const quickChallenge = { REGISTRATION_CHALLENGE_COST: "1", REGISTRATION_WAIT_SECONDS: "0" };

/** The solved challenge of a registration, from the answer to `GET /api/challenge`. */
export async function solved(issued: Promise<{ json(): Promise<unknown> }>) {
  const { challenge } = issuedChallengeAnswer.parse(await (await issued).json());
  return challenge ? { challenge, solution: await solveChallenge(challenge) } : {};
}

/** The same, from the server at this address. */
export function solvedAt(origin: string, purpose: "registration" | "subscription" = "registration") {
  return solved(fetch(`${origin}/api/challenge?for=${purpose}`));
}

/** Makes an account on this server; resolves to the `Cookie` header of its session. */
export async function registerAt(
  origin: string,
  { username, password }: { username: string; password: string },
): Promise<string> {
  const answer = await fetch(`${origin}/api/users`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({
      username,
      email: `${username}@example.org`,
      password,
      ...(await solvedAt(origin)),
    }),
  });
  if (answer.status !== 201) throw new Error(`No account was made: ${await answer.text()}`);
  return cookiesOf(answer.headers);
}

/** The cookies that an answer sets, as a browser sends them back. */
export function cookiesOf(headers: Headers): string {
  return headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0])
    .join("; ");
}

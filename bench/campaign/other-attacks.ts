/**
 * Attacks on registration, on names, and on other people's room to rate.
 * Each is played twice on the app's own functions, under the earlier rules and under today's.
 */
import { issueChallenge } from "../../lib/challenge/index.ts";
import { solveChallenge } from "../../lib/challenge/solve.ts";
import { limitsFrom } from "../../lib/limits/index.ts";
import type { SubjectCheck } from "../../lib/limits/types.ts";
import { resolveChecks } from "../../lib/limits/types.ts";
import { parseSettings } from "../../lib/settings/env.ts";
import { registrationChecks } from "../../lib/users/registration-limits.ts";
import { comparisonKey } from "../../lib/users/schema.ts";
import { isOfOneScript, isReserved, skeletonsOf } from "../../lib/users/usernames.ts";
import { day, published } from "./traffic.ts";

export interface OtherAttack {
  name: string;
  title: string;
  figure: string;
  /** The largest figure allowed; today's is to be at most this. */
  allowed: number;
  before: number;
  after: number;
  text: (figure: number) => string;
}

const limits = limitsFrom(parseSettings({}));
const whole = (figure: number) => String(Math.round(figure));
const percent = (share: number) => `${Number((share * 100).toFixed(1))} %`;

export async function otherAttacks(): Promise<OtherAttack[]> {
  return [
    registrations("Accounts of a /48", "65,536 addresses of one /48 register for a day", 210, (attempt) => {
      return `2001:db8:1:${(attempt % 65_536).toString(16)}::/64`;
    }),
    registrations("Accounts of a botnet", "10,000 addresses of as many networks do", 580, (attempt) => {
      const number = attempt % 10_000;
      return `203.${Math.floor(number / 250)}.${number % 250}.9`;
    }),
    {
      name: "Cost of an account",
      title: "accounts that a program makes with 1,000 tries at challenges; before: each request made one",
      figure: "accounts",
      // A solution takes 256 tries on average; at random, so some room is left.
      allowed: 16,
      before: 1_000,
      after: 1_000 / (await triesForSolution()),
      text: whole,
    },
    {
      name: "Lookalike names",
      title: "names that look like alder, alice, pope, wave and moderator; before: compared by NFKC and case",
      figure: "accepted",
      allowed: 0,
      before: acceptedLookalikes(({ name, taken }) => comparisonKey(name) !== comparisonKey(taken)),
      after: acceptedLookalikes(
        ({ name, taken }) => isOfOneScript(name) && !isReserved(name) && !lookAlike(name, taken),
      ),
      text: percent,
    },
    {
      name: "Busy accounts",
      title: "24 accounts change their ratings ten times a second, 36 people rate; before: in one limit",
      figure: "kept out",
      allowed: 0.01,
      before: keptOut(["post", "post"]),
      after: keptOut(["post", "post:changes"]),
      text: percent,
    },
  ];
}

/** A one-line description of each attack. */
export function attackTitles(attacks: readonly OtherAttack[]): string {
  return attacks.map(({ name, title }) => `  ${name}: ${title}`).join("\n");
}

/**
 * How many accounts a program makes in a day that tries once a second.
 * Before: the address's own limit alone.
 */
function registrations(
  name: string,
  title: string,
  allowed: number,
  addressOf: (attempt: number) => string,
): OtherAttack {
  const made = (checksOf: (address: string) => SubjectCheck[]) => {
    const passes = player();
    let accounts = 0;
    for (let at = published; at < published + day; at += 1_000)
      if (passes(checksOf(addressOf((at - published) / 1_000)), at)) accounts += 1;
    return accounts;
  };
  return {
    name,
    title: `${title}, once a second; before: limited by address alone`,
    figure: "accounts",
    allowed,
    before: made((address) => [[limits["register.address"], address]]),
    after: made((address) => [...registrationChecks(limits, address), [limits["register.site"], "all"]]),
    text: whole,
  };
}

/** The average number of keys that a program derives for a solution. */
async function triesForSolution(): Promise<number> {
  const settings = { secret: "campaign", cost: 1, waitMs: 0 };
  let tries = 0;
  for (let solved = 0; solved < 40; solved += 1) {
    const solution = await solveChallenge(await issueChallenge(settings, "register", published));
    tries += (solution?.counter ?? Number.NaN) + 1;
  }
  return tries / 40;
}

/** Decides requests, all policies or none, with states in memory. */
function player() {
  const states = new Map<string, unknown>();
  return (checks: readonly SubjectCheck[], at: number): boolean => {
    const steps = resolveChecks(checks).map(({ policy, key }) => ({
      key,
      step: policy.algorithm.step(states.get(key), at, 1),
    }));
    if (steps.some(({ step }) => !step.decision.allowed)) return false;
    for (const { key, step } of steps) if (step.next !== undefined) states.set(key, step.next);
    return true;
  };
}

interface Lookalike {
  name: string;
  taken: string;
}

const lookalikes: readonly Lookalike[] = [
  { name: "aIder", taken: "alder" },
  { name: "аlder", taken: "alder" },
  { name: "a1der", taken: "alder" },
  { name: "AL1CE", taken: "ALICE" },
  { name: "al\u0131ce", taken: "ALICE" },
  { name: "Ðorđe", taken: "Đorđe" },
  { name: "กตน", taken: "กดน" },
  { name: "роре", taken: "pope" },
  { name: "vvave", taken: "wave" },
  { name: "m0derator", taken: "moderator" },
  { name: "modеrator", taken: "moderator" },
  { name: "Mod-erator", taken: "moderator" },
];

function lookAlike(name: string, taken: string): boolean {
  const shown = Object.values(skeletonsOf(taken));
  return Object.values(skeletonsOf(name)).some((skeleton) => shown.includes(skeleton));
}

function acceptedLookalikes(isAccepted: (lookalike: Lookalike) => boolean): number {
  return lookalikes.filter(isAccepted).length / lookalikes.length;
}

/**
 * The share of people whose ratings are refused.
 * `first` and `change` are the keys under which first ratings and changes count.
 */
function keptOut([first, change]: readonly [first: string, change: string]): number {
  const passes = player();
  const post = limits["rating.post"];
  const people = 36;
  let [refused, changes] = [0, 0];
  for (let person = 1; person <= people; person += 1) {
    const now = published + person * 517;
    for (let at = published; at < now; changes += 1) {
      at = published + Math.floor((changes * 1_000) / 240);
      passes([[post, change]], at);
    }
    if (!passes([[post, first]], now)) refused += 1;
  }
  return refused / people;
}

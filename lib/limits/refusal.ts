// Over 200 lines: a list, of the texts for every limit.

/**
 * Why a limit refused a request, as a person's sentence.
 * One wording for the pages' forms and the JSON API.
 *
 * It names the limit, the action that did not happen and the time to try again. It does not reveal how full the limit
 * is: that would help a flooder.
 */

import { type Bound, boundOf, type Decision } from "../limiter/index.ts";
import { formatWait } from "../time/wait.ts";
import type { PolicyName } from "./default-limits.ts";
import type { PolicyDecision, Refused } from "./types.ts";

interface Wording {
  /** The subject of the refusal, before the rate: "this post is being rated". */
  subject: string;
  /** The counted unit: one, several. */
  counted: readonly [one: string, several: string];
  /** The same, for a limit that learns the usual rate. */
  unusual: string;
  /** The meaning of the refusal for the person. */
  consequence: string;
}

const notSaved = "your rating was not saved";
const notChecked = "the password was not checked";

const ownPasswords: Wording = {
  subject: "you are trying passwords",
  counted: ["try", "tries"],
  unusual: "you are trying passwords much faster than usual",
  consequence: notChecked,
};

const nearbyAccounts: Wording = {
  subject: "accounts are being created from networks next to yours",
  counted: ["account", "accounts"],
  unusual: "accounts are being created from networks next to yours much faster than usual",
  consequence: "no account was created",
};

const wordings: Record<PolicyName, Wording> = {
  "rating.post": {
    subject: "this post is being rated",
    counted: ["rating", "ratings"],
    unusual: "ratings of this post are arriving much faster than usual",
    consequence: notSaved,
  },
  "rating.user": {
    subject: "you are rating",
    counted: ["rating", "ratings"],
    unusual: "you are rating much faster than usual",
    consequence: notSaved,
  },
  "rating.address": {
    subject: "ratings are arriving from your network",
    counted: ["rating", "ratings"],
    unusual: "ratings are arriving from your network much faster than usual",
    consequence: notSaved,
  },
  "rating.change": {
    subject: "you are changing ratings",
    counted: ["change", "changes"],
    unusual: "you are changing ratings much faster than usual",
    consequence: notSaved,
  },
  "post.user": {
    subject: "you are publishing",
    counted: ["post", "posts"],
    unusual: "you are publishing much faster than usual",
    consequence: "your post was not published",
  },
  "post.render": {
    subject: "you are saving texts",
    counted: ["text", "texts"],
    unusual: "you are saving texts much faster than usual",
    consequence: "your text was not saved",
  },
  "review.user": {
    subject: "you are requesting reviews",
    counted: ["request", "requests"],
    unusual: "you are requesting reviews much faster than usual",
    consequence: "your request was not sent",
  },
  "register.address": {
    subject: "accounts are being created from your network",
    counted: ["account", "accounts"],
    unusual: "accounts are being created from your network much faster than usual",
    consequence: "no account was created",
  },
  "register.network": nearbyAccounts,
  "register.wide-network": nearbyAccounts,
  "register.known-networks": {
    subject: "accounts are being created from networks that have created one recently, such as yours",
    counted: ["account", "accounts"],
    unusual:
      "accounts are being created from networks that have created one recently, such as yours, much faster than usual",
    consequence: "no account was created",
  },
  "register.site": {
    subject: "accounts are being created on this site",
    counted: ["account", "accounts"],
    unusual: "accounts are being created on this site much faster than usual",
    consequence: "no account was created",
  },
  "login.address": {
    subject: "passwords are being tried from your network",
    counted: ["try", "tries"],
    unusual: "passwords are being tried from your network much faster than usual",
    consequence: notChecked,
  },
  "login.account": {
    subject: "passwords are being tried for this account from your network",
    counted: ["try", "tries"],
    unusual: "passwords are being tried for this account from your network much faster than usual",
    consequence: notChecked,
  },
  "login.delay": {
    subject: "passwords are being tried for this account",
    counted: ["try", "tries"],
    unusual: "passwords are being tried for this account much faster than usual",
    consequence: notChecked,
  },
  "login.known-browser": ownPasswords,
  "login.second-factor": {
    subject: "one-time codes are being tried for this account from your network",
    counted: ["try", "tries"],
    unusual: "one-time codes are being tried for this account from your network much faster than usual",
    consequence: "the code was not checked",
  },
  "password.user": ownPasswords,
  "lab.address": {
    subject: "the lab is being used from your network",
    counted: ["comparison", "comparisons"],
    unusual: "the lab is being used from your network much faster than usual",
    consequence: "nothing was compared",
  },
  "api.token": {
    subject: "this token is being used",
    counted: ["request", "requests"],
    unusual: "requests with this token are arriving much faster than usual",
    consequence: "nothing was done",
  },
};

/** "Too many requests: …, so your rating was not saved. Try again in 2 seconds." */
export function explainRefusal(refusal: PolicyDecision): string {
  return `${explainCause(refusal)} ${adviceOf(refusal.decision)}`;
}

/** The same without its advice, for where a countdown stands beside it. */
export function explainCause({ counts, decision }: PolicyDecision): string {
  const wording = wordings[counts];
  return `Too many requests: ${causeOf(boundOf(decision.reason), wording)}, so ${wording.consequence}.`;
}

/** The message to a network from which too many invalid tokens come. */
export function explainBadTokens({ decision }: PolicyDecision): string {
  return `Too many requests: tokens that are not valid are arriving from your network. ${adviceOf(decision)}`;
}

/** The message for a refusal that no limit made. */
export function explainDenial(refused: Exclude<Refused, { kind: "limited" }>): string {
  if (refused.kind === "unavailable")
    return "The site cannot accept this just now, so nothing was saved. Try again in a few seconds.";
  return refused.isPending
    ? "Nothing was saved: your account is waiting for an administrator's approval. You can rate and write once it is approved."
    : "This site accepts nothing from your network or account. Waiting does not help: contact the site's operator.";
}

/**
 * In how many whole seconds to try again: at least 1, never too early.
 * Null when waiting does not help.
 */
export function retryAfterSeconds({ reason, retryAfterMs }: Decision): number | null {
  return reason.neverFits ? null : Math.max(1, Math.ceil(retryAfterMs / 1000));
}

function causeOf(bound: Bound | undefined, wording: Wording): string {
  const { subject, counted, unusual } = wording;
  switch (bound?.kind) {
    case undefined:
      return `the limit of this site allows no ${counted[1]} at all`;
    case "rate":
      return `${subject} faster than ${rateInWords(bound.perSecond, counted)}`;
    case "quota":
      return `${subject} faster than ${quotaInWords(bound.limit, bound.windowMs, counted)}`;
    case "after-quota":
      return `today's first ${rounded(bound.limit)} ${counted[1]} are used up, and ${causeOf(bound.beyond, wording)}`;
    case "usual":
      return unusual;
  }
}

function adviceOf(decision: Decision): string {
  const seconds = retryAfterSeconds(decision);
  return seconds === null ? "Waiting does not help." : `Try again in ${formatWait(seconds)}.`;
}

const units = [
  ["second", 1],
  ["minute", 60],
  ["hour", 3600],
] as const;

/** "10 ratings a second", "one post every 2 minutes". */
function rateInWords(perSecond: number, [one, several]: Wording["counted"]): string {
  if (perSecond > 1) return `${rounded(perSecond)} ${several} a second`;
  const intervalSeconds = 1 / perSecond;
  const single = units.find(([, seconds]) => rounded(intervalSeconds) === seconds);
  if (single) return `one ${one} ${single[0] === "hour" ? "an" : "a"} ${single[0]}`;
  const [unit, seconds] = units.findLast(([, seconds]) => intervalSeconds >= 2 * seconds) ?? units[0];
  return `one ${one} every ${rounded(intervalSeconds / seconds)} ${unit}s`;
}

/** "20 ratings in 5 seconds", "one post in 24 hours". */
function quotaInWords(limit: number, windowMs: number, [one, several]: Wording["counted"]): string {
  const seconds = windowMs / 1000;
  const [unit, unitSeconds] = units.findLast(([, least]) => seconds >= 2 * least) ?? units[0];
  const count = rounded(seconds / unitSeconds);
  return `${limit === 1 ? `one ${one}` : `${rounded(limit)} ${several}`} in ${count} ${unit}${count === 1 ? "" : "s"}`;
}

function rounded(value: number): number {
  return Number(value.toPrecision(3));
}

/** Limits in words. */
import { durationText } from "@/app/_components/durations";
import { formatNumber } from "@/app/_components/format-number";
import { algorithmWords } from "@/app/lab/words";
import type { AlgorithmParameters } from "@/lib/algorithms";
import { emaDefaults } from "@/lib/limiter";
import type { Policy, PolicyName } from "@/lib/limits";

export const countedWords: Record<PolicyName, string> = {
  "rating.post": "Ratings of one post",
  "rating.user": "Ratings by one person",
  "rating.address": "Ratings from one address",
  "post.user": "New posts by one person",
  "register.address": "New accounts from one address",
  "login.address": "Password guesses from one address",
  "login.account": "Password guesses at one account",
  "api.token": "Requests with one API token",
};

/** What a limit does with what is over it, unless it is what limits do. */
export const modeWords: Record<Policy["mode"], string> = {
  enforce: "",
  hold: "What is over it is held.",
  shadow: "It is in shadow, and refuses nobody.",
};

/** An algorithm and its numbers, as "Leaky bucket: 30 at once, then one every 2 minutes". */
export function limitText(parameters: AlgorithmParameters): string {
  return `${algorithmWords[parameters.algorithm].name}: ${numbersText(parameters)}`;
}

function numbersText(parameters: AlgorithmParameters): string {
  switch (parameters.algorithm) {
    case "leaky-bucket":
      return `${formatNumber(parameters.capacity)} at once, then ${rateText(parameters.leakPerSecond)}`;
    case "token-bucket":
      return `${formatNumber(parameters.capacity)} at once, then ${rateText(parameters.refillPerSecond)}`;
    case "fixed-window":
      return parameters.windowMs === undefined
        ? `${formatNumber(parameters.limit)} a day (${parameters.timeZone ?? "UTC"})`
        : `${formatNumber(parameters.limit)} per ${durationText(parameters.windowMs)}`;
    case "sliding-log":
      return `${formatNumber(parameters.limit)} in any ${durationText(parameters.windowMs)}`;
    case "tiered":
      return `${formatNumber(parameters.freePerDay)} free a day (${parameters.timeZone ?? "UTC"}), then ${numbersText(parameters.beyond)}`;
    case "ema": {
      const { threshold = emaDefaults.threshold, adaptMs = emaDefaults.adaptMs } = parameters;
      return `too fast above Z ${formatNumber(threshold)}; gets used to ten times as many within ${spanText(adaptMs)}`;
    }
  }
}

/** As "10 a second" or "one every 2 minutes". */
function rateText(perSecond: number): string {
  return perSecond >= 1
    ? `${formatNumber(perSecond)} a second`
    : `one every ${durationText(1_000 / perSecond)}`;
}

/** As "1 hour" or "90 minutes". */
function spanText(durationMs: number): string {
  const text = durationText(durationMs);
  return /^\d/.test(text) ? text : `1 ${text}`;
}

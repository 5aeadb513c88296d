import { type AlgorithmSettings, algorithmDefinition, summarizeAlgorithm } from "@/lib/limiter/index";
import type { Limit } from "@/lib/limits";
import type { PolicyName } from "@/lib/limits/default-limits";

export const countedWords: Record<PolicyName, string> = {
  "rating.post": "Ratings of one post",
  "rating.user": "Ratings by one person",
  "rating.address": "Ratings from one address",
  "rating.change": "Changes of ratings by one person",
  "post.user": "New posts by one person",
  "post.render": "Texts of new posts and changes by one person",
  "review.user": "Requests for a review by one author",
  "register.address": "New accounts from one address",
  "register.network": "New accounts from one network (/24, /56)",
  "register.wide-network": "New accounts from one wide network (/48)",
  "register.site": "New accounts of the whole site",
  "register.known-networks": "New accounts from networks that made one in the last week",
  "login.address": "Password guesses from one address",
  "login.account": "Password guesses at one account from one network (/24, /48)",
  "login.delay": "Password guesses at one account from anywhere, and apart from them guesses of codes",
  "login.known-browser": "Password guesses at one account in a browser that was logged in before",
  "login.second-factor": "Guesses of one-time codes at one account from one network (/24, /48)",
  "password.user": "Passwords of one logged-in person, counted apart for each action that needs one",
  "lab.address": "Comparisons in the lab from one address",
  "api.token": "Requests with one API token",
};

const modeWords: Record<Limit["mode"], string> = {
  enforce: "",
  hold: "Requests over it are held.",
  shadow: "It is in shadow, and refuses no request.",
};

/** A limit's mode in words; empty for `enforce`. */
export function modeText({ counts, mode }: Pick<Limit, "counts" | "mode">): string {
  return counts === "login.delay" && mode === "hold"
    ? "Further guesses wait a few seconds, and count as held."
    : modeWords[mode];
}

/** An algorithm in words: "Leaky bucket: 30 at once, then one every 2 minutes". */
export function limitText(settings: AlgorithmSettings): string {
  return `${algorithmDefinition(settings.algorithm).title}: ${summarizeAlgorithm(settings)}`;
}

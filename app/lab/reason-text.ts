/** An algorithm's reasons and measurements, in the reader's language. */
import { summaryFormats } from "@/app/_components/limit-text";
import { localPhrase } from "@/app/_components/local-phrase";
import { messageByKey } from "@/lib/i18n";
import { type Level, type Reason, reasonPhrase } from "@/lib/limiter/index";
import { shortDuration } from "./algorithm-text";

const formats = {
  ...summaryFormats,
  namespace: "lab",
  groups: ["reason"],
  "short-duration": shortDuration,
} as const;

/** Why a request was decided as it was: "3 of 5 in the last 0.8 sec". */
export function reasonText(reason: Reason): string {
  return localPhrase(reasonPhrase(reason), formats);
}

/** The measure of an algorithm and its limit: "Tokens, too few below 1". */
export function levelText({
  key,
  name,
  meaning,
  threshold,
}: Pick<Level, "key" | "name" | "meaning" | "threshold">): string {
  return messageByKey("lab", `level.${key}`, { most: threshold }) ?? `${name}, ${meaning}`;
}

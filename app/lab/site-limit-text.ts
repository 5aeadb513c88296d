import { limitName } from "@/app/_components/limit-name";
import { limitText, readerFormats } from "@/app/_components/limit-text";
import { translator } from "@/lib/i18n";
import type { Limit } from "@/lib/limits";

/** A limit of the site: the counted thing, and how many it lets through. */
export function siteLimitText(limit: Limit): string {
  return translator("lab")(limit.mode === "hold" ? "scores.siteHolds" : "scores.siteRefuses", {
    what: limitName(limit.name, limit),
    limit: limitText(limit.parameters, readerFormats),
  });
}

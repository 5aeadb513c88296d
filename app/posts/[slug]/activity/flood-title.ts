import { durationText } from "@/app/_components/duration-text";
import { translator } from "@/lib/i18n";
import type { ShownWindow } from "@/lib/ratings/decisions/flood-window-decisions";

/** As "Flood 1: 143 ratings in 4 minutes". */
export function floodTitle({ number, arrived, openedAt, lastAt }: ShownWindow): string {
  const t = translator("flood");
  if (lastAt === openedAt) return t("titleAtOnce", { number, count: arrived });
  return t("title", { number, count: arrived, duration: durationText(lastAt - openedAt) });
}

import { app } from "@/lib/app";
import { translator } from "@/lib/i18n";
import type { Limit } from "@/lib/limits";

/** A limit's name in words; also the technical name where several count the same. */
export function limitName(name: string, policy: Pick<Limit, "counts"> | undefined): string {
  const t = translator("adminSystem");
  if (policy === undefined) return name;
  const words = t(`limit.${policy.counts}`);
  return name === policy.counts ? words : `${words} (${name})`;
}

/** The name in words of a limit that is set; the technical name of any other. */
export function knownLimitName(name: string): string {
  return limitName(
    name,
    Object.values(app().limits)
      .flat()
      .find((limit) => limit.name === name),
  );
}

/** A limit's mode in words; empty for `enforce`. */
export function modeText({ counts, mode }: Pick<Limit, "counts" | "mode">): string {
  const t = translator("adminSystem");
  if (mode === "enforce") return "";
  if (mode === "shadow") return t("limits.inShadow");
  return counts === "login.delay" ? t("limits.delays") : t("limits.holds");
}

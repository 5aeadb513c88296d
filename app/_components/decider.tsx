import { translator } from "@/lib/i18n";
import type { DeciderRole, SavedWindowDecision } from "@/lib/ratings/decisions/flood-window-decisions";

/** The maker of a decision, to follow "by", as readers see it. */
export function Decider({ decision: { role, username } }: { decision: SavedWindowDecision }) {
  if (role === null || role === "author" || role === "author-administrator" || username === null)
    return deciderText(role);
  return translator("flood").rich("role.named", {
    name: () => <bdi>{username}</bdi>,
    role: deciderText(role),
  });
}

/** The role of a decision's maker, to follow "by". */
export function deciderText(role: DeciderRole | null): string {
  const t = translator("flood");
  if (role === null) return t("role.unknown");
  return role === "author-administrator" ? t("role.authorAdministrator") : t(`role.${role}`);
}

/** For a decider whose right came from the post's author after the flood began. */
export function otherDecidesText(): string {
  return translator("flood")("otherDecides");
}

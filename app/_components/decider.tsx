import type { DeciderRole, SavedWindowDecision } from "@/lib/ratings/decisions/flood-window-decisions";

/** The maker of a decision, to follow "by", as readers see it. */
export function Decider({ decision: { role, username } }: { decision: SavedWindowDecision }) {
  if (role === null || role === "author" || role === "author-administrator") return deciderText(role);
  return username === null ? (
    deciderText(role)
  ) : (
    <>
      <bdi>{username}</bdi>, {deciderText(role)}
    </>
  );
}

/** The role of a decision's maker, to follow "by". */
export function deciderText(role: DeciderRole | null): string {
  return role === null ? "a person" : roles[role];
}

const roles: Record<DeciderRole, string> = {
  author: "the author",
  "author-administrator": "the author, who was the only one who could decide",
  moderator: "a moderator",
  administrator: "an administrator",
};

/** For a decider whose right came from the post's author after the flood began. */
export const otherDecidesText =
  "The author gave you your role after this flood began, so another administrator or moderator has to decide.";

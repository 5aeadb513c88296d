/** A user's page. */
export const profile = {
  postsBy: "Posts by {name}",
  since: "Here since <day></day>",
  sinceDisabled: "Here since <day></day> · this account is disabled",
  noPosts: "No posts yet.",
  manage: "Manage this account",
} as const;

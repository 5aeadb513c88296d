/** A user's page. */
export const profile = {
  postsBy: "Posts by {name}",
  since: "Here since <day></day>",
  sinceDisabled: "Here since <day></day> · this account is disabled",
  noPosts: "No posts yet.",
  administration: "Administration",
  disabledNow: "This user cannot log in, and their ratings do not count. Enabling them restores the ratings.",
  disableHelp:
    "A disabled user is logged out at once and cannot log in. Their ratings do not count until you enable the user again. Their posts stay.",
  reason: "Reason",
  reasonHelp: "Kept on record. Only administrators see it.",
  saving: "Saving…",
  enable: "Enable this user",
  disable: "Disable this user",
} as const;

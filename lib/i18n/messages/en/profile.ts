/** A user's page. */
export const profile = {
  postsBy: "Posts by {name}",
  since: "Here since <day></day>",
  sinceDisabled: "Here since <day></day> · this account is disabled",
  noPosts: "No posts yet.",
  administration: "Administration",
  disabledNow: "This user cannot log in, and their ratings do not count. Enabling them restores the ratings.",
  disableHelp:
    "Disabling an account logs it out at once, and no one can log in with it. Its ratings do not count until the account is enabled again. Its posts stay.",
  reason: "Reason",
  reasonHelp: "Kept on record. Only administrators see it.",
  saving: "Saving…",
  enable: "Enable this user",
  disable: "Disable this user",
} as const;

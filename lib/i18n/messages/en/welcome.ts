/** The page on which the first administrator sets up the site. */
export const welcome = {
  title: "Your site is ready",
  intro: "You are its administrator. Choose these settings now, or later under Admin → Settings.",
  saveAndWrite: "Save and write the first post",
  save: "Save",
  saving: "Saving…",
  later: "Later",
  done: "It is set up. You can change its <link>settings</link> at any time.",
} as const;

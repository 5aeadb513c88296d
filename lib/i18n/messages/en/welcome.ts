/** The page on which the first administrator sets up the site. */
export const welcome = {
  title: "Your site is ready",
  intro: "You are its administrator. Choose these settings now, or later under Admin → Settings.",
  site: "Your site",
  post: "A first post",
  postHelp: "Leave both fields empty to write it later. You can use Markdown.",
  save: "Save",
  saving: "Saving…",
  later: "Later",
  onlySettings: "The settings are saved. The post is not published yet: its text is still here.",
  done: "It is set up. You can change its <link>settings</link> at any time.",
} as const;

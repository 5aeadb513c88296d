/** What surrounds every page. */
export const layout = {
  skipToContent: "Skip to the content",
  siteNavigation: "Site",
  write: "Write",
  askToWrite: "Ask to write",
  admin: "Admin",
  moderation: "Moderation",
  yourAccount: "Your account,",
  logOut: "Log out",
  logIn: "Log in",
  register: "Register",
  howScoresWork: "How scores work",
  feed: "Feed",
  language: "Language",
  theme: { name: "Colours", light: "Light", dark: "Dark", device: "As on this device" },
} as const;

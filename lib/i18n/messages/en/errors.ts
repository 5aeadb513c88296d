/** The text of a page that has nothing else to show. */
export const errors = {
  notFoundTab: "No such page",
  notFound: "There is no such page.",
  notFoundHelp: "It may have been deleted, or the address is mistyped. <link>To all posts</link>",
  forbidden: "You don’t have access to this page.",
  forbiddenHelp:
    "It belongs to another author, or to the people who run this site. If it should be yours, check that you are logged in with the right account. <link>To all posts</link>",
  notAllowed:
    "You are not allowed to do this, so nothing was saved. If you could do it before, ask an administrator of this site.",
  sessionEnded: "You are no longer logged in.",
  sessionEndedHelp:
    "Nothing was saved. <link>Log in in a new tab</link>, come back here and reload this page: your browser offers to send the form again, and nothing is lost.",
  sentTexts: "What you sent",
  unavailable: "Not available just now.",
  unavailableHelp:
    "The site has a problem just now. Try again in a few seconds; what you sent may not have been saved.",
} as const;

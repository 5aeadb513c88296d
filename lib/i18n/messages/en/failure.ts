/** The page in place of all others when none can be shown. */
export const failure = {
  title: "Something went wrong here.",
  help: "The site could not show this page. Try again in a moment. The site’s operator finds the cause in the server’s log.",
} as const;

/** The whole answer to a request that gets no page. */
export const problems = {
  badTarget: "The request’s target is neither a path nor a URL.",
  nothingHere: "There is nothing at this address. It may be mistyped, or the page was deleted.",
  badHost: "The Host header is not the name of a host.",
  twoHosts: "The request has more than one Host header.",
  unexpected:
    "The site could not answer because of an error. Try again in a few minutes. If it happens again, write to the administrator: the server’s log has the details.",
  tooBusy: "The site is very busy, so this could not be answered in time. Try again in a few seconds.",
  foreign:
    "This request came from a page of another site, so it was refused. Open this site and try again there.",
  method: "{method} is not supported here. Use one of: {allowed}.",
  tooLarge: "The request is too large: at most {maximum, number} MB can be sent at once.",
  tooManyFields: "The form has too many fields: at most {maximum, number} can be sent at once.",
  tooManyBodies: "Too many large requests are being sent at once. Try again in a moment.",
  incompleteForm: "The form is incomplete. Load the page again and resend it.",
  foreignDownload: "Start this download on the site’s own pages.",
  administratorsOnly:
    "Only administrators of this site may do this. Log in as an administrator and try again.",
  noImage: "There is no such image.",
  noUser: "There is no such user.",
  noPost: "There is no such post.",
  noFeed: "There is no such feed.",
  noLanguage: "There is no such language.",
  noTheme: "There is no such theme.",
} as const;

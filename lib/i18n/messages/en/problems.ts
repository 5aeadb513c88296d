/** The whole answer to a request that gets no page. */
export const problems = {
  badTarget: "The request’s target is neither a path nor a URL.",
  nothingHere: "There is nothing here.",
  badHost: "The Host header is not the name of a host.",
  twoHosts: "The request has more than one Host header.",
  unexpected: "The site has a fault, so this could not be answered. Its log says more.",
  tooBusy: "The site is very busy, so this could not be answered in time. Try again in a few seconds.",
  foreign:
    "This request was sent by a page of another site, so it was refused. If it was not: the server does not know its own address; behind a proxy, TRUSTED_PROXY_HOPS or SITE_URL must be set.",
  method: "{method} is not possible here; possible are {allowed}.",
  tooLarge: "The request is too large: at most {maximum, number} MB can be sent at once.",
  tooManyFields: "The form has too many fields: at most {maximum, number} can be sent at once.",
  tooManyBodies: "Too many large requests are being sent at once. Try again in a moment.",
  incompleteForm: "The form is incomplete. Load the page again and resend it.",
  foreignDownload: "Start this download on the site’s own pages.",
  administratorsOnly: "Only administrators of this site may do this.",
  noImage: "There is no such image.",
  noUser: "There is no such user.",
  noPost: "There is no such post.",
  noFeed: "There is no such feed.",
  noLanguage: "There is no such language.",
  noTheme: "There is no such theme.",
} as const;

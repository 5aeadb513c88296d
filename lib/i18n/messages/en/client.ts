/**
 * The texts of scripts in the browser.
 * Each page carries them, so only those that the server cannot write in advance; `{name}` is all of ICU that they may use.
 */
export const client = {
  nothingLost: "Nothing you entered is lost.",
  siteUpdated: "This site was updated meanwhile. {kept} Copy what you need, then reload this page.",
  serverFailed: "Something went wrong on the server. {kept} Try again in a moment.",
  unreachable: "Couldn’t reach the server. {kept} Try again in a moment.",
  loggedOut: "You are no longer logged in. {kept} Log in in a new tab, come back here and try again.",
  logIn: "Log in",
  discardUnsaved: "Any text or file in this browser that is not saved yet will be lost. Continue?",
  retryIn: "You can try again in {wait}.",
  retryNow: "You can try again now.",
  pageFailed: {
    title: "Something went wrong here.",
    help: "The site could not show this page. Check whether your last change was saved before you send it again. The site’s operator finds the cause in the server’s log.",
    tryAgain: "Try again",
  },
} as const;

/** The settings that administrators change, on /admin/settings. */
export const siteSettings = {
  intro: "Changes take effect immediately, on all pages.",
  locked:
    "Set on the server as {name}. To change it here, remove that line from the file .env and restart the server.",
  save: "Save the settings",
  saving: "Saving…",
  saved: "The settings are saved.",
  nothing: "none",
  faulty:
    "What was saved for these cannot be read: {names}. Choose them anew and save. Until then no one can register or become a writer where that depends on them.",
  label: {
    SITE_NAME: "Name",
    SITE_TAGLINE: "Line under the name",
    SITE_LANGUAGE: "Language",
    HOME_LAYOUT: "Home page",
    FOOTER_LINKS: "Links at the foot of each page",
    ACCENT_COLOUR: "Colour of links and scores in the light theme",
    ACCENT_COLOUR_DARK: "Colour of links and scores in the dark theme",
    REGISTRATION: "Who may register",
    WHO_MAY_WRITE: "Who may write",
  },
  help: {
    WHO_MAY_WRITE:
      "People who have published a post keep the right to write. On the page People you can make others writers or invite them.",
    SITE_NAME: "In the header, the titles of pages, the feed and shared links. Empty: Weir.",
    SITE_TAGLINE: "Shown on the home page: what the site is about.",
    SITE_LANGUAGE: "For readers whose browser prefers no other language that the site has, and for the feed.",
    FOOTER_LINKS:
      "One on each line: a name, then an address, such as About /posts/about. At most {maximum, number}.",
    ACCENT_COLOUR: "Such as {colour}. Leave empty for the usual blue.",
  },
  choice: {
    WHO_MAY_WRITE: {
      anyone: "Anyone with an account",
      approved: "People whom an administrator makes writers; others can ask to",
      invited: "People whom an administrator has invited to write or made writers",
    },
    HOME_LAYOUT: { excerpts: "Titles and excerpts", titles: "Titles only" },
    REGISTRATION: {
      open: "Anyone",
      approval: "Anyone, once an administrator has approved the account",
      invitation: "People with an invitation",
      closed: "No one",
    },
  },
  fault: {
    SITE_NAME: "Write the name on one line, with at most {maximum, number} characters.",
    SITE_TAGLINE: "Write one line with at most {maximum, number} characters.",
    choice: "Choose one of these.",
    footerLine: "“{line}” needs a name and then an address that begins with / or https://.",
    hidden: "This has hidden characters in it. Type it anew, rather than paste it.",
    outdated:
      "Another administrator has changed this since you opened the page. It is now: {value}. Save again to replace that.",
    footerLong: "Write at most {maximum, number} characters.",
    footerMany: "Give at most {maximum, number} links.",
    colour: "Write a colour as # and six digits or letters from a to f, such as {colour}.",
    contrastLight:
      "Too pale to read on the light background: its contrast is {contrast, number}, and text needs {needed, number}. The nearest readable one is {nearest}.",
    contrastDark:
      "Too dark to read on the dark background: its contrast is {contrast, number}, and text needs {needed, number}. The nearest readable one is {nearest}.",
  },
  mail: {
    title: "Email",
    ready: "Set up: emails come from <address></address>.",
    noLinks:
      "Emails can be sent, but none with a link, such as to set a new password: the site’s own address is missing. To add it, put <code>SITE_URL</code> into the file <code>.env</code> and restart the server.",
    missing:
      "Not set up: users cannot reset a forgotten password, and authors see floods only on this site. To set it up, put <code>MAIL_URL</code> and <code>MAIL_FROM</code> into the file <code>.env</code> and restart the server.",
    queue: "See waiting and failed emails under <link>System</link>.",
  },
  readers: "Readers",
  analytics: "Readers are not tracked: the site counts no visits and has no analytics to switch on.",
} as const;

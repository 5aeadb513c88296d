/** The settings that administrators change, on /admin/settings. */
export const siteSettings = {
  intro: "Changes take effect immediately, on all pages.",
  locked:
    "Set on the server as {name}. To change it here, remove that line from the file .env and restart the server.",
  save: "Save the settings",
  saving: "Saving…",
  saved: "The settings are saved.",
  nothing: "none",
  invalid:
    "What was saved for these cannot be read: {names}. Choose them again and save. Until then no one can register or become a writer where that depends on them.",
  label: {
    SITE_NAME: "Name",
    SITE_TAGLINE: "Line under the name",
    SITE_LANGUAGE: "Language",
    SITE_LANGUAGES: "Languages to choose from",
    HOME_LAYOUT: "Home page",
    FOOTER_LINKS: "Links at the foot of each page",
    PRIVACY_NOTE: "Your own words on the privacy page",
    ACCENT_COLOUR: "Colour of links and scores in the light theme",
    ACCENT_COLOUR_DARK: "Colour of links and scores in the dark theme",
    REGISTRATION: "Who may register",
    WHO_MAY_WRITE: "Who may write",
    EMAIL_VERIFICATION: "Confirmed email addresses",
    MAIL_FROM: "Sender of emails",
    MAIL_URL: "Mail server",
  },
  help: {
    EMAIL_VERIFICATION:
      "A new account confirms its address by opening a link in an email. Accounts that were made before stay as they are.",
    EMAIL_VERIFICATION_WITHOUT_MAIL:
      "Not possible yet: email is not set up completely (see Email below), so no one could confirm an address.",
    WHO_MAY_WRITE:
      "People who have published a post keep the right to write. On the People page you can make others writers or invite them.",
    SITE_NAME: "In the header, the titles of pages, the feed and shared links. Leave this empty for “Weir”.",
    SITE_TAGLINE: "Shown on the home page: what the site is about.",
    SITE_LANGUAGE: "For readers whose browser prefers no other language that the site has, and for the feed.",
    SITE_LANGUAGES: "For the site’s pages: readers can change between these. Posts can be in any language.",
    FOOTER_LINKS:
      "One on each line: a name, then an address, such as About /posts/about. At most {maximum, number}.",
    PRIVACY_NOTE:
      "Above what the site writes there itself: who runs this site, how to reach you, how long you keep logs and backups. An empty line begins a paragraph.",
    ACCENT_COLOUR: "Such as {colour}. Leave empty for the usual blue.",
    MAIL_FROM: "An email address, with a name or without: The Blog '<blog@example.org>'.",
    MAIL_URL:
      "Your mail provider gives you these parts: smtps://user:password@mail.example.org. Where it says STARTTLS, write smtp:// in place of smtps:// and :587 at the end. In the username and the password, write @ as %40, : as %3A, / as %2F, # as %23 and % as %25. It is kept encrypted and never shown again.",
    MAIL_URL_SAVED: "A mail server is saved. Leave this empty to keep it.",
  },
  choice: {
    EMAIL_VERIFICATION: {
      off: "Not needed",
      "to-rate": "Needed to rate, not to write",
      "to-register": "Needed to register",
    },
    WHO_MAY_WRITE: {
      anyone: "Anyone with an account",
      approved: "Approved writers; others can ask",
      invited: "Invited or approved writers only",
    },
    HOME_LAYOUT: { excerpts: "Titles and excerpts", titles: "Titles only" },
    REGISTRATION: {
      open: "Anyone",
      approval: "Anyone, after approval",
      invitation: "People with an invitation",
      closed: "No one",
    },
  },
  error: {
    SITE_NAME: "Write the name on one line, with at most {maximum, number} characters.",
    SITE_TAGLINE: "Write one line with at most {maximum, number} characters.",
    choice: "Choose one of these.",
    SITE_LANGUAGES:
      "The site’s own language must be one of these. Choose it here, or choose another one above.",
    mailNeeded:
      "Set email up first (see Email below): without it no one could confirm an address, so no one could take part.",
    MAIL_FROM: "Write one email address, such as blog@example.org or The Blog '<blog@example.org>'.",
    MAIL_URL:
      "This is not the address of a mail server. Write it like smtps://user:password@mail.example.org, with %40 for an @ in the username. Enter it again: an invalid address is not saved.",
    footerLine: "“{line}” needs a name and then an address that begins with / or https://.",
    hidden: "This has hidden characters in it. Type it again instead of pasting it.",
    outdated:
      "Another administrator has changed this since you opened the page. It is now: {value}. Save again to replace that.",
    footerLong: "Write at most {maximum, number} characters.",
    footerMany: "Give at most {maximum, number} links.",
    colour: "Write a colour as # and six digits or letters from a to f, such as {colour}.",
    contrastLight:
      "Too pale to read on the light backgrounds, of the page and of code: its contrast is {contrast, number}, and text needs {needed, number}. The nearest readable one is {nearest}.",
    contrastDark:
      "Too dark to read on the dark backgrounds, of the page and of code: its contrast is {contrast, number}, and text needs {needed, number}. The nearest readable one is {nearest}.",
  },
  images: {
    title: "Logo and icon",
    intro:
      "Each takes effect as soon as it is uploaded. JPEG, PNG, WebP, AVIF or GIF, at most {maximum, number} MB; no SVG.",
    label: {
      SITE_LOGO: "Logo",
      SITE_LOGO_DARK: "Logo for the dark theme",
      SITE_ICON: "Icon",
    },
    help: {
      SITE_LOGO:
        "In the header, in place of the name. It is shown at most 200 pixels wide and 40 high; upload it twice or three times as large. A transparent background suits both themes.",
      SITE_LOGO_DARK:
        "For a logo that is hard to see on the dark background. Without it, the other logo is shown in both themes.",
      SITE_ICON:
        "In browser tabs, on home screens and in feed readers. Best is a square of at least 512 × 512 pixels.",
    },
    current: "{label} now",
    upload: "Upload",
    uploading: "Uploading…",
    remove: "Remove",
    removing: "Removing…",
    saved: "The image is saved, and shown on all pages.",
    removed: "The image is removed.",
  },
  mail: {
    title: "Email",
    ready: "Set up: emails come from <address></address>, through the mail server <server></server>.",
    noLinks:
      "Emails can be sent, but none with a link, such as to set a new password: the site’s own address is missing. To add it, put <code>SITE_URL</code> into the file <code>.env</code> and restart the server.",
    missing:
      "Not set up: users cannot reset a forgotten password, and authors see floods only on this site. To set it up, enter the mail server and the sender.",
    noSender: "No email is sent: the mail server is saved, but the sender is missing.",
    noServer: "No email is sent: the sender is saved, but the mail server is missing.",
    unreadable:
      "No email is sent: the saved mail server cannot be read, because the server’s secret (<code>AUTH_SECRET</code>) has changed since it was saved. Enter the mail server again.",
    remove: "Remove the saved mail server: the site then sends no email",
    passwordHelp:
      "Emails can contain links that set a new password, so changing where they are sent from needs your password.",
    save: "Save the email settings",
    removal: "Saved mail server",
    test: "Send me a test email",
    testing: "Sending…",
    testFull: "No more test emails can be sent now. Try again tomorrow.",
    testSent: "The mail server took your last test email at <time></time>. Look for it in your mailbox.",
    testWaiting: "Your test email of <time></time> is on its way. <link>See whether it was sent.</link>",
    testRetried:
      "Your test email of <time></time> could not be sent yet, and will be tried again. The mail server or the connection to it reported:",
    testGivenUp:
      "Your last test email could not be sent, at <time></time>. The mail server or the connection to it reported:",
    queue: "See waiting and failed emails under <link>System</link>.",
  },
  programs: {
    title: "Other programs",
    webhooks: "<link>Webhooks</link> tell other programs about published posts and floods of ratings.",
    archive: "<link>Import and export</link>: posts of another blog, and the whole site as files.",
  },
  readers: "Readers",
  analytics: "Readers are not tracked: the site counts no visits and has no analytics to switch on.",
} as const;

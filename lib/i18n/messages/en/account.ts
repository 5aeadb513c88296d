/** The account page, and the pages that set up a second step. */
export const account = {
  title: "Your account",
  loggedInAs:
    "You are logged in as <name></name>{role, select, administrator {, an administrator} moderator {, a moderator} other {}}. <link>Your page</link>",
  waitingForApproval:
    "Your account is waiting for an administrator of this site to approve it. You can read everything now, and take part as soon as an administrator has approved your account. There is nothing else for you to do.",
  password: {
    title: "Change password",
    current: "Current password",
    new: "New password",
    help: "At least {minimum, number} characters. Every other session will end.",
    submit: "Change password",
    submitting: "Changing…",
    wrong: "This is not your current password.",
    changed: "Your password is changed. Every other session has ended. <link>API tokens</link> keep working.",
  },
  /** Required again before a change of the account. */
  confirmation: { label: "Your password", wrong: "This is not your password." },
  sessions: {
    title: "Sessions",
    intro:
      "These are the browsers and programs where you are logged in. If you do not recognise one, log it out and change your password. API tokens are not affected.",
    device: "{program} on {system}",
    unknownDevice: "Unknown device",
    current: "this session",
    times: "logged in <since></since> · last used <last></last> UTC",
    logOut: "Log out",
    which: "<device></device>, logged in <since></since>",
    logOutOthers: "Log out all others",
    logOutEverywhere: "Log out everywhere",
    ended: { one: "That session has ended.", others: "All other sessions have ended." },
  },
  steps: {
    title: "Two-step verification",
    notice: {
      app: "Your authenticator app is set up. From now on, logging in takes a second step.",
      added: "The passkey was added.",
      removed: "The passkey was removed.",
      off: "Two-step verification is off.",
    },
    administratorOn:
      "You logged in with your password only. Log out and in again to act as an administrator.",
    administratorOff:
      "Administrators of this site need two-step verification. Set it up to act as an administrator.",
    off: "It is off. When it is on, you log in with your password and a second step: a code from an authenticator app on your phone, or a passkey. A stolen password alone is then not enough. Turning it on logs you out everywhere else.",
    addPasskeyInstead: "Or <link>add a passkey</link>",
    onWithApp: "On with an authenticator app since <day></day>.",
    on: "On.",
    codesLeft: "Recovery codes left: {count, number}. API tokens need no code.",
    addPasskey: "Add a passkey",
    addApp: "You can also set up an authenticator app, for devices that do not have your passkey.",
    continueApp: "Continue setting up your authenticator app",
    begin: "Set up an authenticator app",
    beginning: "Setting up…",
    renew: "New recovery codes",
    renewing: "Creating…",
    turnOff: "Turn off",
    nothingBegun: "Nothing is being set up at the moment. <link>Begin on your account page</link>",
    isSetUp: "Your authenticator app is set up already.",
    scan: "Scan this code with an authenticator app on your phone:",
    qrCode: "QR code for your authenticator app",
    orKey: "or <link>open the app</link> on this device, or type this key into it:",
    typeCode: "Type the six digits that the app shows.",
    code: "Code",
    turnOn: "Turn on",
    turningOn: "Turning on…",
    wrongCode: "This code is wrong. Check that your device’s clock is right.",
    tooLate: "This took too long. Begin again on your account page.",
    recoveryCodes: "Recovery codes",
    recoveryHelp:
      "Keep these codes in a safe place: they are not shown again. If you lose your app or passkey, each of them lets you log in once.",
    done: "Done",
  },
  passkeys: {
    title: "Add a passkey",
    intro:
      "A passkey is stored on your phone, your computer or a security key. To use it, you usually unlock that device with your fingerprint, face or PIN. You log in with your password first, and then with the passkey instead of a code.",
    impossible:
      "Passkeys do not work at this address: the site must have a name of its own and use https. Contact the person who runs this site, or use an authenticator app.",
    impossibleHere: "Passkeys do not work at this address of the site.",
    back: "Back to your account",
    name: "Name",
    nameHelp: "A name by which you will recognise it, such as “Phone” or “Blue key”.",
    add: "Add passkey",
    adding: "Adding…",
    notAdded:
      "No passkey was added: you cancelled, or this device already has one for your account. Try again, or use another device.",
    needsJavaScript:
      "Passkeys need JavaScript, which is switched off in this browser. An authenticator app works without.",
    wrong: "This passkey was not accepted. Try again.",
    tooMany: "You have {maximum, number} passkeys. Remove one first.",
    choice: "Passkey",
    lastUsed: "(last used <day></day>)",
    neverUsed: "(added <day></day>, never used)",
    remove: "Remove passkey",
    gone: "This passkey was removed already. Reload the page to see your passkeys.",
  },
  tokens: {
    title: "API tokens",
    intro:
      "With a token a program acts in your name, through the <link>API</link>, as far as you allow. It cannot change your password or email. It keeps working when you change your password or log out, until you revoke it or it expires.",
    revoked: "The token is revoked.",
    created: "created <day></day>",
    lastUsed: "last used <day></day>",
    neverUsed: "never used",
    neverExpires: "never expires",
    expired: "expired <day></day>",
    expires: "expires <day></day>",
    revoke: "Revoke",
    name: "Name",
    nameHelp: "What it is for, such as the program that uses it.",
    scopes: "It may",
    scope: {
      read: "Read posts, and your own ratings, saved posts, drafts and images, and which emails you chose to get",
      rate: "Rate and save posts",
      write:
        "Publish posts and upload images, change and delete your own, and ask an administrator for the right to write",
      admin:
        "Change settings, roles, invitations and webhooks of the site, see and export the data of users, see the changes of accounts on record, approve and reject accounts, remove images and subscribers, import and export",
    },
    lifetime: "Valid for",
    lifetimeDays: "{days, plural, one {# day} other {# days}}",
    lifetimeYear: "A year",
    lifetimeEndless: "As long as it is not revoked",
    create: "Create token",
    creating: "Creating…",
    newToken: "New token",
    copyNow: "Copy the token now: it is not shown again.",
    example: "What it can be used for, in a terminal where TOKEN holds it:",
    done: "Done",
  },
  export: {
    title: "Your data",
    link: "Download your data",
    intro:
      "Get everything that this site keeps about you as one file: your posts as text files, your ratings, your sessions and your settings.",
    contents:
      "It is a ZIP archive. Your posts are Markdown files, which other blogs can import; the rest are JSON files, which any text editor opens. It contains no passwords or other secrets.",
    begin: "Continue",
    beginning: "Checking…",
    download: "Download the archive",
    ready: "You can download your data now, and for ten minutes.",
    thenDelete:
      "If you want to leave, check that the archive opens, and then <link>delete your account</link>.",
    expired: "This download has expired. Enter your password again.",
  },
  deletion: {
    title: "Delete account",
    intro:
      "Your posts and ratings are deleted with it, and the scores of posts you rated change accordingly. This cannot be undone.",
    beginHelp:
      "Once your account is deleted, your data is gone. The next page offers a copy to download first, and your account stays until you delete it there.",
    begin: "Continue to deletion",
    lastStep: "Last step",
    afterCopy:
      "If you want a copy, download the archive above first and check that it opens. Your account is still here: this deletes it, with your posts and ratings, and cannot be undone.",
    submit: "Delete account",
  },
} as const;

/** Mails. */
export const mail = {
  hello: "Hello {name},",
  sentBy: "{site} sent you this email because it concerns your account there. Please do not reply to it.",
  sentToSubscriber:
    "{site} sent you this email because you subscribed to its new posts. Please do not reply to it.",
  sentToConfirm:
    "{site} sent you this email because your address was entered there. Please do not reply to it.",
  settings: "Choose which emails you get on your account page",
  stop: "Unsubscribe from these emails",
  passwordReset: {
    subject: "{site}: set a new password",
    requested: "A new password was requested for your account {name} on {site}.",
    open: "Set a new password",
    valid:
      "The link works once, and for an hour. A new password logs all devices out and revokes API tokens; two-step verification stays on.",
    notYou:
      "If you did not request this, do nothing: your password stays as it is. Do not give the link to anyone.",
  },
  confirmEmail: {
    subject: "{site}: confirm your email address",
    requested: "Open the link within a day to confirm that this is the address of your account on {site}.",
    open: "Confirm this address",
    notYou: "If you did not request this, do nothing: the address stays unconfirmed.",
  },
  confirmRegistration: {
    subject: "{site}: confirm your email address",
    requested:
      "An account was requested on {site} with this address. Open the link within seven days to create it.",
    open: "Create the account",
    notYou: "If you did not request this, do nothing: no account is created.",
  },
  /** To the owner of an account whose address was entered again. */
  hasAccount: {
    subject: "{site}: you have an account already",
    requested:
      "Your address was entered on {site} for another account. It belongs to your account {name} already, so nothing has changed. If you have forgotten your password, you can set a new one.",
    open: "Set a new password",
    notYou: "If you did not enter it, do nothing: your account is not affected.",
  },
  newEmail: {
    subject: "{site}: confirm your new email address",
    requested: "Open the link within a day to use this address for your account on {site}.",
    open: "Use this address",
    notYou: "If you did not request this, do nothing: the account keeps its old address.",
  },
  emailChange: {
    subject: "{site}: your email address is about to change",
    requested:
      "A new email address was requested for your account {name} on {site}. The account gets it as soon as the link in an email to the new address is opened.",
    notYou:
      "If you did not request this, another person knows your password. Set a new one now: that also stops the change.",
    open: "Set a new password",
  },
  emailChanged: {
    subject: "{site}: your email address was changed",
    done: "Your account {name} on {site} now has another email address. Emails about it no longer come here.",
    restore:
      "If you did not change it, another person knows your password. Take the account back within seven days: the link restores this address, sets a new password, logs all devices out and revokes API tokens.",
    open: "Restore this address",
    notYou: "If you did not change it, tell the administrator of {site} at once.",
  },
  flood: {
    subject: "A flood of ratings on “{title}”",
    happened:
      "{count, plural, one {One rating of your post “{title}” came} other {# ratings of your post “{title}” came}} much faster than usual. {count, plural, one {It does} other {They do}} not count yet.",
    next: "Unless a moderator decides otherwise, they count from {until, date, long} on. You can look at them, and request a review by a moderator.",
    nextOwn:
      "You decide whether they count: look at them, and count them or leave them out. Without a decision they count from {until, date, long} on.",
    open: "Look at the flood",
  },
  decisions: {
    subject:
      "{count, plural, one {Your rating of “{title}” has been decided on} other {# of your ratings have been decided on}}",
    happened:
      "{count, plural, one {A rating of yours came} other {# ratings of yours came}} with many others at once and did not count at first. Now it is decided:",
    counted: "“{title}”: your rating counts",
    excluded: "“{title}”: your rating does not count",
    more: "{count, plural, one {There is one more decision} other {There are # more decisions}} on your ratings.",
  },
  /** To administrators and moderators. */
  undecided: {
    subject:
      "{site}: {count, plural, one {a flood of ratings on “{title}” needs a decision} other {# floods of ratings need a decision}}",
    happened:
      "Many ratings came much faster than usual, and you can decide whether they count. Those that wait do not count yet, and without a decision they count from the day given here.",
    flood:
      "“{title}”: {count, plural, one {one rating} other {# ratings}} so far, waiting until {until, date, long}",
    review: "“{title}”: the author requests a review",
    more: "There are more: see all that need a decision",
    all: "See all that needs a decision",
  },
  confirmSubscription: {
    subject: "{site}: confirm your subscription",
    requested:
      "Your address was entered on {site} for an email when there are new posts, at most one a day. Open the link within three days to confirm that you want these emails.",
    open: "Get new posts by email",
    notYou:
      "If you did not enter it, do nothing: you get no more emails, and your address is deleted after a few days.",
  },
  newPosts: {
    subject: "{count, plural, one {{site}: {title}} other {{site}: # new posts}}",
    published: "{count, plural, one {There is a new post} other {There are # new posts}} on {site}:",
    post: "“{title}” by {author}",
    more: "{count, plural, one {One more post} other {# more posts}}",
  },
  test: {
    subject: "{site}: a test email",
    arrived: "This email was requested on the settings of {site}. It has arrived, so emails can be sent.",
  },
  passwordChanged: {
    subject: "{site}: your password was changed",
    by: {
      owner:
        "The password of your account on {site} was just changed on the account page. All other devices are logged out.",
      link: "The password of your account on {site} was just changed with the link from an email to you. All devices are logged out.",
      operator:
        "The administrator of {site} has just set a new password for your account. All devices are logged out.",
    },
    tokens: {
      kept: "API tokens stay valid: you can see and revoke them on the account page.",
      revoked: "API tokens are revoked: if programs of yours need one, create it on the account page.",
    },
    notYou:
      "If you did not expect this, another person may have your password or read your email. Secure your mailbox first, then set a new password, and tell the administrator.",
  },
} as const;

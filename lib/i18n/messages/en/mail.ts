/** Mails. */
export const mail = {
  hello: "Hello {name},",
  sentBy: "{site} sent you this email because it concerns your account there. Please do not reply to it.",
  passwordReset: {
    subject: "{site}: set a new password",
    requested: "A new password was requested for your account {name} on {site}.",
    open: "Set a new password",
    valid:
      "The link works once, and for an hour. A new password logs all devices out; two-step verification stays on.",
    notYou:
      "If you did not request this, do nothing: your password stays as it is. Do not give the link to anyone.",
  },
  confirmFloods: {
    subject: "{site}: emails about your posts",
    requested:
      "You requested an email for each flood of ratings on one of your posts on {site}. Open the link within a day to confirm that this is your address.",
    open: "Get these emails",
    notYou: "If you did not request this, do nothing: you will not get these emails.",
  },
  flood: {
    subject: "A flood of ratings on “{title}”",
    happened:
      "{count, plural, one {One rating of your post “{title}” came} other {# ratings of your post “{title}” came}} much faster than usual. {count, plural, one {It does} other {They do}} not count yet.",
    next: "Unless a moderator decides otherwise, they count from {until, date, long} on. You can look at them, and request a review by a moderator.",
    open: "Look at the flood",
    settings: "Turn these emails off on your account page",
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
    tokens: "API tokens stay valid: you can see and revoke them on the account page.",
    notYou:
      "If you did not expect this, another person may have your password or read your email. Secure your mailbox first, then set a new password, and tell the administrator.",
  },
} as const;

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

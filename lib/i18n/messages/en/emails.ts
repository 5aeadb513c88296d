/** The account page's section on emails, and the pages that emails link to. */
export const emails = {
  title: "Emails",
  intro: "Your address is <address></address>. It is never shown to other users.",
  confirmed: "It is confirmed.",
  unconfirmed:
    "It is not confirmed yet. Open the link in the email that we send you: then you can choose emails here, and no one else can use your address.",
  sendLink: "Send me the link",
  sendAgain: "Send the link again",
  sending: "Sending the link…",
  linkSent:
    "A link is on its way to {address}. It works for a day. If it does not arrive, look in your spam folder.",
  confirmedBefore: "Your address is confirmed already. Reload the page.",
  full: "Several links were sent to your address today: look in your spam folder, or try again tomorrow.",
  noMail: "This site sends no email at the moment.",
  noMailHelp:
    "To set it up, enter the mail server and the sender on <code>/admin/settings</code>, and put <code>SITE_URL</code> into the file <code>.env</code>.",
  choices: "Send me an email",
  choice: {
    floods: "when ratings reach one of my posts much faster than usual (at most five a day)",
    decisions: "when it is decided whether a rating of mine that had to wait counts (at most one a day)",
    undecided: "when a flood of ratings needs a decision by moderators (at most one a day)",
    posts: "when there are new posts on this site (at most one a day)",
  },
  save: "Save",
  saving: "Saving…",
  saved: "Your choice is saved.",
  /** In place of the stars, and of a refused rating's message. */
  confirmFirst: {
    title: "Confirm your email address first",
    text: "You can rate as soon as you have opened the link in an email to <address></address>. This keeps programs from rating with made-up addresses.",
  },
  confirm: {
    title: "Confirm your email address",
    intro: "Confirm that <address></address> is the address of the account <name></name>.",
    submit: "Confirm this address",
    submitting: "Confirming…",
    done: "Your address is confirmed. On <link>your account page</link> you can choose which emails you get.",
    expired:
      "This link has been used, has expired, or is incomplete. <link>Your account page</link> shows whether your address is confirmed, and sends you a new link.",
    gone: "This link has been used or has expired.",
  },
  /** The form for new posts by email, and the page of its link. */
  subscribe: {
    title: "New posts by email",
    intro:
      "Get an email when there are new posts on this site, at most one a day. You need no account, and each email has a link to unsubscribe.",
    feedInstead: "To follow its new posts, add <link>its feed</link> to a feed reader.",
    email: "Your email address",
    submit: "Send me the link",
    submitting: "Sending the link…",
    puzzle:
      "Your browser is working out a small puzzle, which keeps programs from sending emails to other people. It takes about a second, and there is nothing for you to do.",
    waitWithoutJavaScript:
      "So that programs cannot send emails to other people, wait at least {seconds, plural, one {# second} other {# seconds}} after opening this page before you send the form.",
    tooEarly:
      "That was quick. So that programs cannot send emails to other people, this form is accepted only some seconds after it was opened. Wait a moment, and press the button once more.",
    expired: "This form was open for too long, or was sent before. Press the button once more.",
    sent: "Look in your mailbox: an email with a link is on its way, unless this address gets new posts already. Open the link within three days to confirm that the address is yours.",
    sentHelp: "If nothing arrives within a few minutes, look in your spam folder.",
    confirmIntro: "New posts on this site, by email to <address></address>, at most one email a day.",
    confirm: "Get new posts by email",
    confirming: "Subscribing…",
    done: "You are subscribed: you get an email when there are new posts. Each has a link to unsubscribe.",
    linkExpired: "This link has expired or is incomplete. <link>Enter your address again</link>.",
  },
  /** Another address for an account. */
  change: {
    title: "Change your address",
    email: "New email address",
    help: "We send a link to the new address, and tell the old one. The account keeps the old one until you open the link, and can get it back for seven days.",
    submit: "Send a link to the new address",
    submitting: "Sending the link…",
    requested: "A link is on its way to the new address. It works for a day.",
    same: "Your account has this address already.",
    waiting: "A link was sent to <address></address>: open it, and the account gets this address.",
    cancel: "Keep the old address",
    cancelled: "The account keeps its address.",
    confirmTitle: "Use the new address",
    confirmIntro: "The account <name></name> gets the address <address></address>.",
    confirm: "Use this address",
    confirming: "Changing the address…",
    done: "The address is changed. Emails come to the new one from now on. <link>Your account page</link>",
    expired:
      "This link has been used, has expired, was replaced by another, or is incomplete. <link>Your account page</link> shows your address.",
  },
  /** For the owner of an account whose address another person has changed. */
  restore: {
    title: "Take your account back",
    intro:
      "The account <name></name> gets the address <address></address> again and a new password. All devices are logged out, and API tokens are revoked.",
    submit: "Restore the address",
    submitting: "Restoring the address…",
    done: "The address is restored and the new password is set. <link>Log in</link>, and look on the account page for two-step verification that is not yours. If the log-in wants a code that you do not have, ask the administrator of this site to turn two-step verification off.",
    expired:
      "This link has been used, has expired, or is incomplete. If another person has your account, tell the administrator of this site.",
    taken: "Another account has this address by now. Tell the administrator of this site.",
  },
  unsubscribe: {
    title: "Unsubscribe from these emails",
    intro: {
      floods: "You get an email when ratings reach one of your posts much faster than usual.",
      decisions: "You get an email when it is decided whether a rating of yours counts.",
      undecided: "You get an email when a flood of ratings needs a decision by moderators.",
      posts: "You get an email when there are new posts on this site.",
    },
    submit: "Unsubscribe",
    submitting: "Unsubscribing…",
    done: "You are unsubscribed. An email that is being sent at this moment may still arrive.",
    off: "The address that this link was sent to does not get these emails. If you copied the link, open it from the email instead: the copy may be incomplete.",
  },
} as const;

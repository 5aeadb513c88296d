/** The registration page. */
export const register = {
  pageTitle: "Register",
  title: "Create an account",
  intro: "With an account you can rate posts and write your own.",
  introForFirst: "This is the first account: it becomes the administrator’s. You then set up the site.",
  introForReaders: "With an account you can rate posts.",
  /** For a logged-in reader with an invitation to write. */
  accept: {
    title: "Invitation to write",
    text: "If you accept, your account <name></name> can write here. The invitation is for one account only.",
    button: "Accept the invitation",
    pending: "Accepting…",
  },
  username: "Username",
  usernameHelp: "Shown beside what you write: letters and digits of any script, and . _ -",
  email: "Email",
  emailHelp: "Never shown to other users.",
  password: "Password",
  passwordHelp: "At least {minimum, number} characters: no common password, not your name or email.",
  submit: "Create account",
  submitting: "Creating the account…",
  haveAccount: "Have an account? <link>Log in</link>",
  /** Shown while the browser computes. */
  puzzle:
    "Your browser is working out a small puzzle, which keeps programs from creating accounts in bulk. It takes about a second, and there is nothing for you to do.",
  waitWithoutJavaScript:
    "So that programs cannot create accounts in bulk, wait at least {seconds, plural, one {# second} other {# seconds}} after opening this page before you send the form.",
  tooEarly:
    "That was quick. So that programs cannot create accounts in bulk, this form is accepted only some seconds after it was opened. Type your password again, wait a moment, and press the button once more.",
  expired: "This form was open for too long, or was sent before. Press the button once more.",
  /** After the rules, by when an address must be confirmed. */
  confirmation: {
    off: "Your account is ready as soon as you send this form.",
    "to-rate":
      "Your account is ready as soon as you send this form. To rate, you then open a link in an email to your address.",
    "to-register":
      "When you send this form, you get an email with a link: open it, and your account is created.",
  },
  sent: {
    title: "Look in your mailbox",
    text: "An email with a link is on its way to the address that you entered. Open the link within seven days, and your account is created.",
    help: "If it does not arrive within a few minutes, look in your spam folder. If the address was mistyped, <link>register again</link>.",
  },
  confirm: {
    title: "Create your account",
    intro: "With one more click your account <name></name> is created.",
    submit: "Create the account <name></name>",
    submitting: "Creating the account…",
    done: "Your account is created. <link>Log in</link> with your username and password.",
    expired:
      "This link has been used, has expired, or is incomplete. <login>Log in</login>, or <register>register again</register>.",
    gone: "This link has been used or has expired.",
    taken: "Another person has meanwhile registered with this username. Register again with another one.",
  },
  rules: {
    closed: "This site takes no new accounts at the moment. You can read everything without one.",
    invited: "You are invited to create an account here. The invitation is for one account only.",
    invitedToWrite: "You are invited to write here. The invitation is for one account only.",
    badInvitation:
      "This invitation was used before, or has expired. Ask the person who sent it for a new one, or register without it to read and rate.",
    approval:
      "With an account you can take part as soon as an administrator of this site has approved it; you can log in before.",
    invitationOnly:
      "You need an invitation to create an account here: a link to this page, from an administrator of this site. You can read everything without an account.",
  },
  notOpen: {
    closed: "This site takes no new accounts at the moment.",
    "invitation-only": "You need an invitation to create an account here.",
    "bad-invitation":
      "This invitation was used before, or has expired. Ask the person who sent it for a new one.",
  },
} as const;

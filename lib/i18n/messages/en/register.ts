/** The registration page. */
export const register = {
  pageTitle: "Register",
  title: "Create an account",
  intro: "With an account you can rate posts and write your own. It is ready as soon as you send this form.",
  introForReaders: "With an account you can rate posts. It is ready as soon as you send this form.",
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
  rules: {
    closed: "This site takes no new accounts at the moment. You can read everything without one.",
    invited: "You are invited: your account can be used at once. The invitation is for one account only.",
    invitedToWrite:
      "You are invited to write here. Create an account and start; the invitation is for one account only.",
    badInvitation:
      "This invitation was used before, or has expired. Ask the person who sent it for a new one, or register without it to read and rate.",
    approval:
      "You can log in at once. You can take part as soon as an administrator of this site has approved your account.",
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

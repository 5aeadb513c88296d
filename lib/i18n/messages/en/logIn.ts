/** The log-in page and its second step. */
export const logIn = {
  title: "Log in",
  returns: "You then return to the page you came from.",
  endedEverywhere: "You are logged out everywhere.",
  endedHere: "You are logged out.",
  username: "Username",
  password: "Password",
  submit: "Log in",
  submitting: "Logging in…",
  noAccount: "No account yet? <link>Register</link>",
  wrong: "The username or the password is wrong.",
  disabled: "This account is disabled. Ask the administrator.",
  code: {
    title: "Log in: second step",
    heading: "One more step",
    intro:
      "Your password was right. You have turned two-step verification on, so that a stolen password alone is not enough: confirm once more that it is you.",
    label: "Code",
    helpApp: "The six digits that your authenticator app shows, or one of your recovery codes.",
    helpRecovery: "One of your recovery codes.",
    missing: "Enter the code.",
    wrong: "This code is wrong, was used, or has expired.",
    tooLate: "This took too long. Log in again, with your password first.",
    back: "Back to the password",
  },
  passkey: {
    use: "Use a passkey",
    refused: "This passkey was not accepted. Try again, or use a code.",
    unused:
      "No passkey was used: you cancelled, or this device has none for your account. Try again, or use a code.",
    needsJavaScript:
      "Your passkey needs JavaScript, which is switched off in this browser. Use a code instead.",
  },
} as const;

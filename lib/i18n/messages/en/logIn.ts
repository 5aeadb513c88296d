/** The log-in page and its second step. */
export const logIn = {
  title: "Log in",
  returns: "After that you return to the page you came from.",
  endedEverywhere: "You are logged out everywhere.",
  endedHere: "You are logged out.",
  username: "Username",
  password: "Password",
  submit: "Log in",
  submitting: "Logging in…",
  noAccount: "No account yet? <link>Register</link>",
  forgotten: "Forgot your password?",
  forgottenNoMail: "Forgot your password? Write to the administrator of this site, who can set a new one.",
  forgot: {
    title: "Forgot your password?",
    intro: "Enter the email address of your account. You get an email with a link to set a new password.",
    email: "Email",
    submit: "Send the link",
    submitting: "Sending…",
    sent: "If an account has this address, an email with a link is on its way.",
    sentHelp:
      "The link works once, and for an hour. If no email arrives within a few minutes, look in your spam folder, and check that you entered the address of your account.",
    noMail:
      "This site sends no email, so it cannot send you a link. Write to its administrator, who can set a new password for you.",
    noMailHelp:
      "For the administrator: <code>npm run user -- reset-password NAME</code> sets a password. Links need email (<code>/admin/settings</code>) and the setting <code>SITE_URL</code>.",
    back: "Back to the log-in",
  },
  newPassword: {
    title: "Set a new password",
    intro: "For the account <name></name>. A new password logs out all devices and revokes API tokens.",
    label: "New password",
    help: "At least {minimum, number} characters.",
    submit: "Set the password",
    submitting: "Setting the password…",
    done: "Your new password is set, and all devices are logged out. API tokens no longer work. <link>Log in</link> with the new password now.",
    expired: "This link has been used, has expired, or is incomplete. <link>Request a new one</link>.",
    gone: "This link has been used or has expired. Request a new one.",
  },
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

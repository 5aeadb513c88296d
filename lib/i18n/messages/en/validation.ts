/**
 * What is wrong with a field, and what to do.
 * The JSON API sends the same under `errors`.
 */
export const validation = {
  /** The names of fields, at the beginning of a sentence. */
  field: {
    title: "Title",
    content: "Content",
    username: "Username",
    email: "Email",
    password: "Password",
    currentPassword: "Current password",
    newPassword: "New password",
    code: "Code",
    name: "Name",
    note: "Note",
    reason: "Reason",
  },
  /** For a field that was left out. */
  empty: {
    title: "Give your post a title.",
    content: "Write something first: your post has no text yet.",
    username: "Enter your username.",
    email: "Enter your email address.",
    password: "Enter your password.",
    currentPassword: "Enter your current password.",
    newPassword: "Choose a new password.",
    code: "Enter your code.",
    name: "Give it a name, so that you recognise it later.",
    note: "Say in a few words who the invitation is for.",
    reason: "Say why in a sentence.",
  },
  notText: "{field} must be text.",
  tooShort: "{field} must have at least {minimum, number} characters.",
  tooLong: "{field} must have at most {maximum, number} characters.",
  brokenCharacter: "{field} has a broken character: delete it and type it again.",
  severalLines: "{field} must be on one line, without control characters.",
  controlCharacter: "{field} has an invisible control character: paste the text again without formatting.",
  username: {
    characters: "Username must be of letters and digits of any script, with . _ - between them.",
    invisible: "Username must not have invisible characters.",
    uncommon:
      "Username has a letter or mark that is not in common use, and could look like another: leave it out.",
    marks: "Username has the same mark twice on one letter, or more than four marks: leave some out.",
    scripts: "Username must use one script: it cannot mix Latin, Greek and Cyrillic letters, for example.",
    taken: "This username is taken: choose another.",
    lookalike: "This username looks like one that is taken: choose another.",
    reserved: "This username is reserved: choose another.",
  },
  email: {
    form: "Email must be an address such as name@example.org.",
    taken: "There is an account with this email already: log in, or use another.",
  },
  password: {
    common:
      "This is one of the most common passwords, which are tried first. Choose another: several words that do not belong together, for example.",
    ownName:
      "This is little more than your username, your email or this site’s name, which are tried first. Choose another: several words that do not belong together, for example.",
  },
  passkey: "Choose a passkey.",
  invitationRole: "Choose what the invited person may do.",
  invitationDays: "Choose how many days the invitation can be used: 1, 7 or 30.",
  token: {
    scopes: "Choose what the token may do.",
    lifetime: "Choose how long the token is valid.",
    nameTaken: "You have a token of this name already.",
    tooMany: "You have {maximum, number} tokens: revoke one first.",
  },
  accounts: {
    registeredFrom: "Registered from must be a time such as 2026-03-01 or 2026-03-01T09:30Z, in UTC.",
    registeredBefore: "Registered before must be a time such as 2026-03-01 or 2026-03-01T09:30Z, in UTC.",
    oneOfBoth: "Give usernames, or both times of registration, but not usernames and times together.",
    none: "Name at least one account.",
    tooMany: "Name at most {maximum, number} accounts at a time.",
    tooManyThen:
      "More than {maximum, number} accounts were registered then: choose a shorter span of time, or use npm run user.",
    unknown:
      "{count, plural, one {There is no user {names}.} other {There are no users {names}{others, plural, =0 {} other { and # more}}. Nothing was changed.}}",
  },
  language: "Lang must be a language tag, such as en or fa.",
  textTooIntricate:
    "This text is too intricate to be formatted. Make its paragraphs, lists and tables shorter, and put fewer of them inside one another.",
} as const;

/**
 * The faults of fields, and their remedies.
 * The JSON API sends the same under `errors`.
 */
export const validation = {
  /** The names of fields, at the beginning of a sentence. */
  field: {
    title: "Title",
    content: "Content",
    slug: "Address",
    excerpt: "Excerpt",
    username: "Username",
    email: "Email",
    password: "Password",
    currentPassword: "Current password",
    newPassword: "New password",
    code: "Code",
    name: "Name",
    note: "Note",
    reason: "Reason",
    alt: "Description",
  },
  /** For a field that was left out. */
  empty: {
    title: "Give your post a title.",
    content: "Write something first: your post has no text yet.",
    slug: "Enter an address, or leave it out.",
    excerpt: "Enter an excerpt, or leave it out.",
    username: "Enter your username.",
    email: "Enter your email address.",
    password: "Enter your password.",
    currentPassword: "Enter your current password.",
    newPassword: "Choose a new password.",
    code: "Enter your code.",
    name: "Give it a name, so that you recognise it later.",
    note: "Say in a few words who the invitation is for.",
    reason: "Say why in a sentence.",
    alt: "Say what the image shows.",
  },
  notText: "{field} must be text.",
  tooShort: "{field} must have at least {minimum, number} characters.",
  tooLong: "{field} must have at most {maximum, number} characters.",
  brokenCharacter: "{field} has a broken character: delete it and type it again.",
  severalLines: "{field} must be on one line, without control characters.",
  controlCharacter: "{field} has an invisible control character: paste the text again without formatting.",
  username: {
    characters: "Username must consist of letters and digits of any script, with . _ - between them.",
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
  noPostChange: "Send at least one of {fields}.",
  draft: "Draft must be true or false.",
  unlisted: "Unlisted must be true or false.",
  passkeyTooLong: "The passkey is too long.",
  invitation: "The invitation is not valid: copy the whole link.",
  score: "Score must be a whole number from 0 to 5.",
  decision: {
    status: "Decide to count these ratings, or to leave them out.",
    after: "This form is out of date: load the page again, then decide.",
  },
  invitationRole: "Choose what the invited person may do.",
  invitationDays: "Choose how many days the invitation can be used: 1, 7 or 30.",
  webhook: {
    events: "Choose at least one event.",
    url: "Write an address that begins with https://, without a password and without #.",
    tooMany: "There are {maximum, number} webhooks already: remove one first.",
    noChange: "Send at least one of url, events and isOn.",
  },
  token: {
    scopes: "Choose what the token may do.",
    onlyAdministrators: "Only an administrator can create a token that may administer the site.",
    lifetime: "Choose how long the token is valid.",
    nameTaken: "You have a token of this name already.",
    tooMany: "You have {maximum, number} tokens: revoke one first.",
  },
  accounts: {
    disabled: "Disabled must be true or false.",
    dryRun: "Dry run must be true or false.",
    usernames: "Usernames must be a list of names.",
    nameTooLong: "This is too long for a username: check it.",
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
  post: {
    cover: "Choose one of your own images as the cover.",
    time: "Date must be a day and a time, such as 2026-03-01T09:30Z, from 1970 to 2999.",
    notScheduled: "A published post cannot be published later: choose a date in the past.",
    noDate: "A draft has no date: leave the date out, or publish the post.",
    slug: "Address must have a letter or a digit, and must not be “new”: use words with hyphens between them, such as my-first-post.",
    slugTaken: "Another post has this address, or had it before: choose another.",
    slugsMaximum:
      "This post’s address was changed {maximum, number} times, and all of them still lead here. Choose one of those, or keep the present one.",
    tag: "Each tag must have a letter or a digit.",
    tags: "Tags must be names.",
    tagTooLong: "A tag must have at most {maximum, number} characters: choose a shorter name.",
    tooManyTags: "A post has at most {maximum, number} tags: remove some.",
  },
  language: "Lang must be a language tag, such as en or fa.",
  image: {
    none: "Choose an image file.",
    tooLarge: "This file is too large: an image may have at most {maximum, number} MB.",
    unreadable:
      "This file cannot be used: it is damaged, or not a JPEG, PNG, WebP, AVIF or GIF image. SVG images are not accepted, because they can contain programs.",
    tooManyPixels:
      "This image has too many pixels to be prepared. Make it smaller, for example 4,000 pixels wide, and upload it again.",
    animationTooLong:
      "This moving image is too long or too large. Make it shorter or smaller, for example 480 pixels wide, and upload it again.",
    noRoomLeft:
      "Your images may take up {maximum, number} MB in all, and there is no room left for this one. Remove images that you do not use.",
  },
  textTooIntricate:
    "This text is too intricate to be formatted. Make its paragraphs, lists and tables shorter, and put fewer of them inside one another.",
} as const;

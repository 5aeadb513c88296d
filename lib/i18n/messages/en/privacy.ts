/** The page about the personal data that the site keeps. */
export const privacy = {
  title: "Privacy",
  description: "What this site keeps about you, for how long, and who can see it.",
  lead: "What this site keeps about you, for how long, and who can see it. The periods are the ones set on this site today.",
  reading: {
    title: "If you only read",
    nothing:
      "The site keeps no record of what you read: it counts no visits, has no analytics and no advertising, and passes nothing on to other companies. Searches, comparisons in the lab and preview images of shared posts are counted by network address for minutes or hours, without what was searched or compared, so that no one overloads the site.",
    log: "The server’s log has a line for each request: the time, the page, and a made-up name in place of your network address, which changes whenever the server restarts. It contains no passwords, searches or addresses. The people who run the server decide how long they keep it.",
    images:
      "A post may show pictures from other servers. Your browser then fetches them there, and those servers see your network address.",
  },
  account: {
    title: "If you have an account",
    howLong: "Kept",
    who: "Seen by",
  },
  untilDeleted: "until you delete them or your account",
  withAccount: "until you delete your account",
  days: "{days, plural, one {# day} other {# days}}",
  youAndAdministrators: "you and administrators",
  noOne: "no one",
  record: {
    account: {
      what: "Username, and the day you registered",
      who: "everyone",
    },
    email: {
      what: "Email address, and which emails you have chosen to get, with their language",
    },
    password: {
      what: "Password, scrambled so that no one can read it",
    },
    posts: {
      what: "Your posts",
      who: "everyone, once they are published",
    },
    ratings: {
      what: "Your ratings, with their time",
      howLong:
        "until you withdraw them or delete your account; that you rated a post and withdrew it stays until you delete your account or the post is deleted",
      who: "everyone sees how many ratings of each kind a post has. Who gave which is shown only to administrators, and to moderators for posts with a sudden flood of ratings; never to the author",
    },
    attempts: {
      what: "Each attempt to rate, with a code for your network that changes every day and cannot be turned back into an address",
      howLong: "{days, plural, one {# day} other {# days}}; after you delete your account, without your name",
      who: "the post’s author, without your name; administrators and moderators",
    },
    bookmarks: {
      what: "Posts that you saved for later",
    },
    images: {
      what: "Images that you uploaded, without the place and device that a photo names",
      who: "everyone who knows their address",
    },
    revisions: {
      what: "Earlier versions of your posts",
    },
    subscribers: {
      what: "If you get new posts by email: your address and language, also without an account",
      howLong: "until you unsubscribe, by the link in each email",
    },
    unconfirmed: {
      what: "An address that is not confirmed yet, with the registration or change that waits for it",
      howLong: "{days, plural, one {# day} other {# days}} at most",
    },
    former: {
      what: "Your former email address after a change, so that you can restore it",
      howLong: "{days, plural, one {# day} other {# days}}",
    },
    sessions: {
      what: "Where you are logged in: the name of the browser and system, the time, and the last use",
      howLong:
        "until you log out, at the latest {maximum, plural, one {# day} other {# days}} after logging in or {idle, plural, one {# day} other {# days}} without use",
    },
    keys: {
      what: "Two-step verification and API tokens, if you set them up",
      howLong: "until you turn them off or revoke them, or delete your account",
      who: "you; administrators see the names that you gave them. Codes and tokens are scrambled so that no one can read them, or encrypted",
    },
    mails: {
      what: "Emails that the site sends you: kind, address and time",
      howLong: "{days, plural, one {# day} other {# days}} after sending",
      who: "administrators see how many there are, and those that failed",
    },
    pending: {
      what: "A code for the network that you registered from, while your account waits for approval",
      howLong: "until an administrator has decided",
      who: "administrators see which waiting accounts came from one network, not which network it is",
    },
    limits: {
      what: "Counts by network address, so that too many tries are refused: of logging in, with the username or email address that was entered; of registering, requesting a new password or emails about new posts, searching, comparing in the lab and opening preview images of shared posts; and of rating, if the site limits it. Also counts of what you do with your account, such as publishing and uploading; and for each post that you create in the editor, codes of its form and its text, from which the text cannot be read, so that a form sent twice creates one post",
      howLong:
        "for minutes or hours; codes for new posts, {postDays, plural, one {# day} other {# days}}; for registrations, as a code, {days, plural, one {# day} other {# days}}",
    },
    decisions: {
      what: "Decisions of administrators and moderators, with the names of the accounts concerned and the reason; your requests to write or to review a flood of ratings; and invitations with their notes, often the name of the invited person",
      howLong:
        "for as long as the site exists, also of invitations that were used; requests to write until they are answered, and what is about a post until it is deleted. Your name goes when you delete your account, except from notes and reasons that contain it. The names of accounts that an administrator rejected stay",
      who: "administrators; moderators see requests for a review; decisions about floods of ratings are public",
    },
    archives: {
      what: "Archives that administrators upload to import posts from elsewhere, with all that is in them: those of Ghost have the email addresses of its users",
      who: "administrators see the posts and the names of their authors",
    },
    webhooks: {
      what: "Messages to other programs that administrators have set up: the title, address and author’s name of a post when it is published, and the title and address of a post with a sudden flood of ratings, with the decision about it, but no rater and no name of the person who decided",
      howLong:
        "{days, plural, one {# day} other {# days}} here; the other programs decide themselves how long they keep them",
      who: "the people who run these programs",
    },
  },
  server:
    "The people who run the server have access to its database, and may keep backups: what you delete can remain in these until they are replaced. Administrators can download the same file about you as you can yourself, for people who cannot log in; each download is recorded.",
  cookies: {
    title: "Cookies",
    intro:
      "The site sets only cookies that it needs for what you do. None of them follows you to other sites.",
    session: "keeps you logged in",
    signIn: "the page to return to when logging in",
    untilClosed: "until you close the browser",
    browser:
      "recognises a browser in which you logged in before, so that others who guess your password cannot lock you out",
    logIn: "remembers, between the two steps of logging in, that the password was right",
    reset: "holds a link to set a new password while you use it",
    shown: "makes sure that a message about what you just did is shown only once",
    stars: "remembers the stars you chose while you log in",
    language: "your choice of language",
    theme: "your choice of light or dark",
    storage:
      "Beside cookies, a text that you have not saved yet is kept in your own browser for at most 30 days, and removed when you save it, discard it or log out.",
  },
  yours: {
    title: "Get your data, correct it, delete it",
    get: "<link>Download everything</link> that the site keeps about you, as one file.",
    correct: "Change your password or email address, and end sessions, on <link>your account page</link>.",
    correctWithoutEmail: "Change your password, and end sessions, on <link>your account page</link>.",
    delete:
      "Delete your account <link>there</link> too: it disappears for everyone at once, and your posts and ratings are removed from the database within minutes.",
    visitor: "With an account you can download all of this and delete it yourself, on your account page.",
  },
} as const;

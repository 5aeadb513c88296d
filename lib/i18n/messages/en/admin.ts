/**
 * The pages for running a site.
 * What needs a decision, posts, and what was decided.
 */
export const admin = {
  title: "Admin",
  moderationTitle: "Moderation",
  navigation: "Running the site",
  pages: {
    tasks: "To decide",
    people: "People",
    posts: "Posts",
    decisions: "Decisions",
    settings: "Settings",
    system: "System",
  },
  tasks: {
    none: "Nothing needs a decision.",
    accounts: "New accounts waiting for approval",
    accountsCount:
      "{count, plural, one {# account waits} other {# accounts wait}}. Until you decide, {count, plural, one {it} other {they}} can neither rate nor write.",
    accountsLink: "See the waiting accounts",
    reviews: "Requests for a review",
    floods: "Held",
    floodsHelp:
      "In a flood, the ratings above a post’s usual ones are held: they count when you include them, or after some time.",
    floodsOff: "No new ones open, since <code>RATING_FLOODS</code> is <code>count</code>.",
    mayBeMore: "There may be more: these are the latest {count, number}.",
  },
  review: {
    label: "{title}, flood {number}",
    facts: {
      held: "{count, plural, one {# rating} other {# ratings}} held, <span></span>. Average: {without} without it, {withIt} with it.",
      counted:
        "{count, plural, one {# rating} other {# ratings}} counted, <span></span>. Average: {without} without it, {withIt} with it.",
      excluded:
        "{count, plural, one {# rating} other {# ratings}} excluded, <span></span>. Average: {without} without it, {withIt} with it.",
    },
    noAverage: "none",
    request: "<name></name>, the author, on <time></time>: <why></why>",
    yours: "This post is yours: another person decides.",
  },
  flood: {
    number: "flood {number}",
    stillGoingOn: "<span></span>, still going on",
    heldUntil: "Held until <time></time>",
    ratings: "{count, plural, one {rating} other {ratings}}",
  },
  decisions: {
    intro: "Floods that were decided on, and who changed what and why.",
    excluded: "Excluded",
    noneExcluded: "No flood is excluded.",
    counted: "Counted recently",
    noneCounted: "No flood has been counted.",
    log: "Log",
    logHelp:
      "Decisions on floods, changes of accounts and roles, and invitations. Only administrators see it.",
    noneLogged: "Nothing has been decided or changed yet.",
    noOlder: "There is nothing older.",
    pages: "Pages of the log",
    newest: "Newest",
    older: "Older",
  },
  log: {
    disable: "Disabled: <names></names>",
    enable: "Enabled: <names></names>",
    "make-administrator": "Made an administrator: <names></names>",
    "remove-administrator": "No longer an administrator: <names></names>",
    "make-moderator": "Made a moderator: <names></names>",
    "remove-moderator": "No longer a moderator: <names></names>",
    approve: "Approved: <names></names>",
    reject: "Rejected: <names></names>",
    delete: "Deleted, with the right to decide on floods: <names></names>",
    "make-invitation": "Made an invitation",
    "use-invitation": "Registered with an invitation: <names></names>",
    "withdraw-invitation": "Withdrew an invitation",
    "end-sessions": "Logged out: <names></names>",
    counted: "Included flood {number} ({count, plural, one {# rating} other {# ratings}}) of <post></post>",
    excluded: "Excluded flood {number} ({count, plural, one {# rating} other {# ratings}}) of <post></post>",
    more: "{count, number} more",
    deleted: "{count, plural, one {a deleted account} other {# deleted accounts}}",
    line: "<time></time> · <who></who>",
    lineWithReason: "<time></time> · <who></who>: <why></why>",
    by: {
      name: "by <name></name>",
      administrator: "by a deleted account",
      operator: "by the operator",
      owner: "by its owner",
      server: "by the server, because no other administrator could log in",
      upgrade: "by an update of the server",
      unknown: "by the operator or a deleted account",
    },
    takenOut: "{count, plural, one {# rating} other {# ratings}} taken out of the scores.",
    takenOutSoFar:
      "{count, number} of {all, plural, one {# rating} other {# ratings}} taken out of the scores so far.",
    restored: "{count, plural, one {# rating} other {# ratings}} restored.",
    restoredSoFar: "{count, number} of {all, plural, one {# rating} other {# ratings}} restored so far.",
  },
} as const;

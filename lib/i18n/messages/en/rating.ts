/** Rating a post. */
export const rating = {
  yourRating: "Your rating",
  ratePost: "Rate this post",
  stars: "{count, plural, one {# star} other {# stars}}",
  rate: "Rate",
  update: "Update rating",
  withdraw: "Withdraw rating",
  undo: "Undo",
  saving: "Saving…",
  unsaved:
    "{count, plural, one {# star is} other {# stars are}} not saved yet. Press Enter or use the button.",
  kept: "Your choice is still here.",
  notSent: "Couldn’t reach the server. Choose your stars again.",
  chooseFirst: "Choose a number of stars first.",
  saved: {
    counted: "Counted as {count, plural, one {# star} other {# stars}}",
    uncounted: "Saved as {count, plural, one {# star} other {# stars}}",
    withdrawn: "Your rating is withdrawn",
    slow: "Your {count, number} is counted. Scores here move slowly, so that a sudden crowd can’t swing them.",
  },
  notCounted: {
    newAccount:
      "Not counted yet: your account is new, so your rating counts from <moment></moment> on (UTC).",
  },
  visitor:
    "<logIn>Log in</logIn> or <register>register</register> to rate. Stars you choose here are saved once you are logged in.",
  visitorClosed:
    "<logIn>Log in</logIn> to rate. Stars you choose here are saved once you are logged in. This site takes no new accounts at the moment.",
  keptChoice:
    "Log in, and your rating of {count, plural, one {# star} other {# stars}} is saved. If you have rated this post before, you choose then whether to change that.",
  keptForAccount:
    "Your rating of {count, plural, one {# star} other {# stars}} is saved as soon as you have your account.",
  notKept:
    "A new account can’t rate right away here. Choose your {count, plural, one {# star} other {# stars}} again once it can.",
  choiceNotSaved:
    "Your choice of {count, plural, one {# star} other {# stars}} was not saved. Choose your stars again here once your account can rate.",
  loggedOut: "You are no longer logged in, so your rating was not saved.",
  postDeleted: "This post was deleted meanwhile, so your rating was not saved.",
  changedMeanwhile: "Your rating was changed in another tab at the same moment. Choose your stars again.",
} as const;

/** A post and its score. */
export const post = {
  changed: "changed <day></day>",
  outOfFive: "{score} of 5",
  thisPost: "This post",
  edit: "Edit",
  activity: "Activity",
  revisions: "Earlier versions",
  done: {
    published: "Your post is published.",
    draft: "Your draft is saved.",
    scheduled: "Your post is saved, and will be published when its time comes.",
    saved: "Your changes are saved.",
    restored: "The earlier version is back. The text before it is kept as an earlier version, too.",
    deleted: "The post is deleted.",
  },
  featured: "Featured",
  draftLabel: "Draft",
  draft: "Only you see this: it is a draft. To publish it, choose “Edit” and then “Publish”.",
  scheduled:
    "Only you see this: it will be published on <time></time>. To change that, choose “Edit” and then “Publishing options”.",
  missed:
    "This was to be published on <time></time>, when you could not write here, so it is still a draft. Only you see it. If you can write here now, choose “Edit” and then “Publish”.",
  unlisted: {
    label: "Unlisted",
    note: "This post is unlisted: readers who have its link can read it. It is in no list, feed or search.",
  },
  unpublished: {
    label: "Unpublished",
    by: "Unpublished by an administrator: {why}",
    seen: "Only its author and administrators see this post.",
    help: "What you can do: change the text, then ask an administrator to publish it again. Or delete the post.",
  },
  delete: {
    open: "Delete…",
    warning: "The post goes with all its ratings. This cannot be undone.",
    button: "Delete this post",
    draftWarning: "The draft is deleted with its text. This cannot be undone.",
    draftButton: "Delete this draft",
  },
  score: {
    title: "Score",
    numeral: "{score}<small> of 5</small>",
    fewRatings: "A score appears once there are {count, number} ratings.",
    settling: "Recent ratings pull this towards {average}, slowly.",
    howScoresWork: "How scores work",
    everything: "With all ratings counted",
    showEverything: "Show with all ratings counted",
    back: "Back to the score",
    figures: {
      title: "In figures",
      settled: "Score",
      average: "Plain average",
      rank: "Score for the order of lists",
      ratings: "Ratings",
    },
  },
} as const;

/** A post and its score. */
export const post = {
  changed: "changed <day></day>",
  outOfFive: "{score} of 5",
  thisPost: "This post",
  edit: "Edit",
  activity: "Activity",
  done: {
    published: "Your post is published.",
    saved: "Your changes are saved.",
    deleted: "The post is deleted.",
  },
  featured: "Featured",
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
  },
  score: {
    title: "Score",
    numeral: "{score}<small> of 5</small>",
    fewRatings: "A score appears once there are {count, number} ratings.",
    settling: "Recent ratings pull this towards {average}, slowly.",
    howScoresWork: "How scores work",
    everything: "With everything counted",
    showEverything: "Show with everything counted",
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

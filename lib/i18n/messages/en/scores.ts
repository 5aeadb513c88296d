/** The chart of a score through time, and the page that explains scores. */
export const scores = {
  howScoresWork: "How scores work",
  chart: {
    score: "Score",
    average: "Average",
    lineEnd: "{name} {stars}",
    tableOf: "{title}, as a table",
    when: "When",
    flooded: "In a flood",
    today: "Today",
  },
  timeline: {
    heading: "Ratings over time",
    sentence:
      "{count, plural, one {# rating} other {# ratings}} since {since}. All of them average {average}; the score is {score}.",
    caption:
      "With all ratings counted alike, the average would be {average}. The score moves slowly, so a sudden crowd can’t swing it: it is {score}.",
    per: {
      day: "Ratings per day",
      week: "Ratings per week",
      month: "Ratings per month",
      quarter: "Ratings per quarter",
      year: "Ratings per year",
    },
    flood: "{ratings} in {duration}",
    floodThat: {
      held: "{flood}, not counted yet",
      excluded: "{flood}, left out",
      counted: "{flood}, counted",
    },
    manyFloods:
      "{count, plural, one {# flood} other {# floods}} of ratings{held, plural, =0 {, all decided} other {, # not counted yet}}.",
  },
  page: {
    description:
      "Why a sudden crowd can’t swing a post’s score, what happens to your rating, and who decides about a flood.",
    lead: "Anyone with an account can rate a post from 0 to 5 stars. A post’s score follows its ratings slowly, so a sudden crowd can’t swing it.",
    day: "Day {day, number}",
    chartTitle: "A score through a flood",
    chartSentence:
      "{flood}, of which {zeros, number} are zeros. The average of all ratings falls to {average}. The score was {before}, and is {score} a day later.",
    chartCaption:
      "An example, worked out as this site works out its scores: {flood}, {zeros, number} of them zeros. The average of all ratings fell to {average}. The score was {before} before, and {score} a day later.",
    mine: {
      title: "What happens to my rating?",
      counts:
        "It is saved at once, and you can change it or take it back at any time. It counts as much as any other reader’s. If it arrives in the middle of a flood, it may wait before it counts; the post then tells you so.",
    },
    slow: {
      title: "Why does the score barely move when I rate?",
      time: "How much a rating moves the score depends on the time since the rating before it. A thousand ratings within ten minutes move it as far as ten minutes of ordinary rating would. That is why no crowd, however large, can rush a score.",
      arrives:
        "Still, every rating counts eventually. As long as readers go on to agree with you, the score keeps moving their way until it reaches their average. A new post’s score moves quickly, an old post’s over weeks. Until it has arrived, the post shows the average, too.",
    },
    flood: {
      title: "What happens in a flood?",
      different:
        "Many ratings at once are welcome: when a post finds readers, they rate it as readers did before. In a flood, one rating (often zero) is given much more often than usual, and many of the accounts were made for it.",
      uncounted:
        "The ratings above the usual number are then not counted yet. They are saved, and each rater sees their own. All other ratings count as always, and the post says what happened.",
      waits:
        "When a post is rated faster than the site can handle, a rating waits for its turn. If that would take longer than {duration}, it is not saved; the page says so and when to try again, and your choice stays.",
      refused:
        "When a post is rated faster than the site can handle, a rating is not saved; the page says so and when to try again, and your choice stays.",
      onlySlow:
        "This site counts every rating at once and refuses none. Scores move slowly, and that alone protects them.",
    },
    who: {
      title: "Who decides?",
      moderators:
        "A moderator or an administrator decides whether such ratings count, but never on their own posts. They give a reason, and every reader sees it. An author can ask for a review. Only where no other person could decide does the author do it, and the post says so.",
      undecided:
        "Without a decision within {duration}, the ratings count, and the score follows no faster than it ever does. If your rating was left out, you can rate again once the flood is over.",
      check:
        "You can check this yourself: a post with ratings that don’t count says so, shows when they came, and lets you see the result with everything counted.",
    },
    lab: "In <link>the lab</link> you can flood a post yourself, and compare what different limits do about it.",
    figures: {
      title: "The figures behind it",
      law: {
        title: "How the score moves",
        text: "The first {firstRaters, plural, one {rating sets} other {# ratings set}} the score at once. Each later one pulls for as long as the time since the one before it, at most some hours. Pulls in one direction add up to a speed; the score moves at that speed towards the average and stops there. On a post that is no longer young, a change of opinion has to last about {unitDays, plural, one {# day} other {# days}} until the score has followed most of the way.",
      },
      bound: {
        title: "How far a flood can move it",
        text: "Say a post has {raters, number} ratings, is {days, number} days old, and its score rests at {score}. Then {zeros, number} zeros arrive within minutes, and all of them count. The average falls to {average} at once. The score moves at most by this, and would move by no more if they were five million:",
        within: "Within {duration}",
        stars: "{stars} stars",
        forecast:
          "These are bounds and not forecasts: mostly it moves far less. They do not hold for a new post, whose first ratings set its score. One thing is quicker: when ratings are taken back or left out, what they had done to the score is undone at once.",
      },
      rank: {
        title: "The order of “Top”",
        text: "Two fives should not rank above four hundred ratings around {manyScore}. So each post is ranked as if it had had {ratings, number} ratings of {score} before its first one (a Bayesian average). A post with two fives ranks at {few}; one with 400 ratings and a score of {manyScore} ranks at {many}. With fewer than {ratingsForScore, number} ratings, a post shows their number instead of a score.",
      },
      withdrawn: {
        title: "Ratings that are taken back",
        text: "A rating that is taken back, or goes with its account, leaves no trace: the score is computed again from the ratings that remain, each at its own time. Nothing is gained by rating with many accounts and leaving. On posts with more than {replayMaximum, number} ratings, where a single one matters little, only the average changes at once.",
      },
      detection: {
        title: "How well floods are found",
        text: "In simulated floods of new accounts, fewer than 1 in 100 false ratings count when they come quickly, and about 6 in 100 when a flood grows slowly over a week. Of the honest ratings beside them, at most 2 in 100 still wait a day later. Ratings by old accounts that come hardly faster than usual get through: they look like readers who have changed their minds.",
        networks:
          "Those who decide also see how many of the ratings came from one network, and how many accounts were made on one day. For this the site keeps a code of the network, never the address; it changes every day, does not identify a person, and is deleted with the record of the attempt. The network alone never keeps a rating from counting: a school is one network, too.",
      },
      price: {
        title: "What it costs",
        text: "Where readers are split, or where opinion has really turned overnight, the score is behind the average for a while. While the score and the average differ, the post shows both.",
      },
    },
  },
} as const;

/** Every limit of the app, by name, with its subject and its algorithm. */
import { type AlgorithmSettings, algorithmDefinition } from "../limiter/index.ts";
import type { Settings } from "../settings/env.ts";
import { ratingAlgorithm } from "../settings/rating-settings.ts";
import { dayMs } from "../time/units.ts";
import type { WrittenPolicy } from "./policy-schema.ts";

type Written = Pick<WrittenPolicy, "mode"> & AlgorithmSettings;

const tenYearsMs = 3_650 * dayMs;

/**
 * The app's default limits.
 * `rating.post` is chosen by RATING_LIMITER and its settings.
 */
export function defaultLimits(settings: Settings) {
  const limiter = settings.RATING_LIMITER;
  const ratingMode = limiter === "none" ? "off" : "enforce";
  const algorithm = limiter === "none" ? "leaky-bucket" : limiter;
  // Where floods are held, one at a post that was quiet for a year must be detected, so its usual rate is kept.
  const memory = settings.RATING_OVERFLOW === "hold" &&
    "forgetAfterMs" in algorithmDefinition(algorithm).settings && { forgetAfterMs: tenYearsMs };
  return {
    /**
     * Attempts to rate one post, of all users.
     * When it refuses, changes are counted apart from first ratings, so that they take no room from them. When it
     * holds, they are counted together.
     */
    "rating.post": {
      mode: ratingMode,
      ...ratingAlgorithm(settings, algorithm),
      ...memory,
    },
    /**
     * One person's first ratings, of any post: thirty at once, then one a second.
     * Off with `rating.post`.
     */
    "rating.user": { mode: ratingMode, algorithm: "leaky-bucket", capacity: 30, leakPerSecond: 1 },
    /** Ratings from one address. */
    "rating.address": { mode: "off", algorithm: "leaky-bucket", capacity: 300, leakPerSecond: 5 },
    /**
     * One person's changes of ratings, of any post.
     * Ten at once, then one every thirty seconds. 200 accounts together stay below a post's default limit.
     */
    "rating.change": { mode: ratingMode, algorithm: "leaky-bucket", capacity: 10, leakPerSecond: 1 / 30 },
    /** One person's new posts: thirty at once, then one every two minutes. */
    "post.user": { mode: "enforce", algorithm: "leaky-bucket", capacity: 30, leakPerSecond: 1 / 120 },
    /**
     * One person's texts that are formatted, of new posts and changes.
     * Texts that turn out too intricate count, too. Thirty at once, then one every thirty seconds.
     */
    "post.render": { mode: "enforce", algorithm: "leaky-bucket", capacity: 30, leakPerSecond: 1 / 30 },
    /** One person's uploaded images: sixty at once, then one every thirty seconds. */
    "media.user": { mode: "enforce", algorithm: "leaky-bucket", capacity: 60, leakPerSecond: 1 / 30 },
    /**
     * One person's previews of texts: sixty at once, then one every three seconds.
     * The editor waits for the time in a refusal, so a fast writer sees a late preview, and no error.
     */
    "post.preview": { mode: "enforce", algorithm: "leaky-bucket", capacity: 60, leakPerSecond: 1 / 3 },
    /**
     * One author's requests to review floods of their posts.
     * Ten at once, then one an hour.
     */
    "review.user": { mode: "enforce", algorithm: "leaky-bucket", capacity: 10, leakPerSecond: 1 / 3600 },
    /**
     * New accounts from one address.
     * Thirty at once (a classroom), then five an hour, a quarter of the site's, so that no address can use the
     * site's up for long.
     */
    "register.address": { mode: "enforce", algorithm: "leaky-bucket", capacity: 30, leakPerSecond: 1 / 720 },
    /**
     * New accounts from one network, /24 of IPv4 and /56 of IPv6.
     * Twice as many at once as from one address, then as many as from one.
     */
    "register.network": { mode: "enforce", algorithm: "leaky-bucket", capacity: 60, leakPerSecond: 1 / 720 },
    /** New accounts from one /48 of IPv6, which has 65,536 of the counted addresses. */
    "register.wide-network": {
      mode: "enforce",
      algorithm: "leaky-bucket",
      capacity: 90,
      leakPerSecond: 1 / 720,
    },
    /**
     * New accounts of the whole site, as long as it is small.
     * It grows with the site (`lib/users/registration-limits.ts`).
     */
    "register.site": { mode: "enforce", algorithm: "leaky-bucket", capacity: 100, leakPerSecond: 1 / 180 },
    /**
     * New accounts from networks that made one within the last week.
     * The limit is two fifths of the site's. The rest is for networks that made none, so that a few networks cannot
     * keep all others out.
     */
    "register.known-networks": {
      mode: "enforce",
      algorithm: "leaky-bucket",
      capacity: 40,
      leakPerSecond: 1 / 450,
    },
    /**
     * Password guesses from one address, any account.
     * Thirty at once, then one every five seconds.
     */
    "login.address": { mode: "enforce", algorithm: "leaky-bucket", capacity: 30, leakPerSecond: 1 / 5 },
    /**
     * Password guesses at one account from one network, /24 of IPv4 and /48 of IPv6.
     * Ten at once, then one every five minutes: 298 on the first day, 288 on each further one.
     */
    "login.account": { mode: "enforce", algorithm: "leaky-bucket", capacity: 10, leakPerSecond: 1 / 300 },
    /**
     * Password guesses at one account from all networks together.
     * Twenty at once, then one a minute. Further guesses are only delayed, for at most five seconds. Guesses of its
     * one-time codes are counted the same way, apart from these.
     */
    "login.delay": { mode: "enforce", algorithm: "leaky-bucket", capacity: 20, leakPerSecond: 1 / 60 },
    /**
     * Password guesses at one account in a browser that was logged in to it before.
     * It counts in none of the others. Ten at once, then one every thirty seconds.
     */
    "login.known-browser": {
      mode: "enforce",
      algorithm: "leaky-bucket",
      capacity: 10,
      leakPerSecond: 1 / 30,
    },
    /**
     * Guesses of one-time codes at one account from one network.
     * A guess counts after the right password; guesses from a known browser count apart. Five at once, then one every
     * five minutes: 293 on the first day, with which 0.09% of attackers in one network guess a code.
     */
    "login.second-factor": {
      mode: "enforce",
      algorithm: "leaky-bucket",
      capacity: 5,
      leakPerSecond: 1 / 300,
    },
    /**
     * Requests of links to reset a password from one address, for any account.
     * Ten at once, then one every five minutes.
     */
    "reset.address": { mode: "enforce", algorithm: "leaky-bucket", capacity: 10, leakPerSecond: 1 / 300 },
    /**
     * Requests of links to reset the password of one email address, from anywhere.
     * Three at once, then one every two hours. Each of them mails the owner a link, so no stranger's request keeps the
     * owner from resetting it.
     */
    "reset.account": { mode: "enforce", algorithm: "leaky-bucket", capacity: 3, leakPerSecond: 1 / 7200 },
    /**
     * New addresses that one user requests, each with a link in an email to it.
     * Three at once, then one every four hours.
     */
    "email.user": { mode: "enforce", algorithm: "leaky-bucket", capacity: 3, leakPerSecond: 1 / 14_400 },
    /**
     * Requests of emails about new posts from one address, for any mailbox.
     * Ten at once, then one every five minutes.
     */
    "subscribe.address": { mode: "enforce", algorithm: "leaky-bucket", capacity: 10, leakPerSecond: 1 / 300 },
    /**
     * The same from one network, /24 of IPv4 and /56 of IPv6, and from one /48.
     * Three times as many at once as from one address, then as many as from one.
     */
    "subscribe.network": { mode: "enforce", algorithm: "leaky-bucket", capacity: 30, leakPerSecond: 1 / 300 },
    /**
     * The same on the whole site.
     * Each causes an email to an address that a stranger chose. Two hundred at once, then one a minute.
     */
    "subscribe.site": { mode: "enforce", algorithm: "leaky-bucket", capacity: 200, leakPerSecond: 1 / 60 },
    /**
     * Passwords of one logged-in user, for one purpose.
     * Each purpose, such as changing it or deleting the account, is counted apart: ten at once, then one every thirty
     * seconds.
     */
    "password.user": { mode: "enforce", algorithm: "leaky-bucket", capacity: 10, leakPerSecond: 1 / 30 },
    /**
     * Searches of one address, and the API's lists of tags and years.
     * Each takes up to a quarter of a second where there are 50,000 posts. Sixty at once, then one a second.
     */
    "search.address": { mode: "enforce", algorithm: "leaky-bucket", capacity: 60, leakPerSecond: 1 },
    /** The same for one /48 of IPv6, as for the lab. */
    "search.wide-network": { mode: "enforce", algorithm: "leaky-bucket", capacity: 180, leakPerSecond: 1 },
    /**
     * Comparisons that the lab computes for one address.
     * Each takes up to a quarter of a second of CPU time. Sixty at once, then one every two seconds.
     */
    "lab.address": { mode: "enforce", algorithm: "leaky-bucket", capacity: 60, leakPerSecond: 1 / 2 },
    /**
     * The same for one /48 of IPv6, which has 65,536 of the counted addresses.
     * Three times as many at once as for one address, then as many as for one.
     */
    "lab.wide-network": { mode: "enforce", algorithm: "leaky-bucket", capacity: 180, leakPerSecond: 1 / 2 },
    /**
     * Preview images of shared links, for one client address.
     * Each takes up to a tenth of a second of CPU time; a kept one does not count. Sixty at once, then one every two
     * seconds.
     */
    "image.address": { mode: "enforce", algorithm: "leaky-bucket", capacity: 60, leakPerSecond: 1 / 2 },
    /** The same for one /48 of IPv6, as for the lab. */
    "image.wide-network": {
      mode: "enforce",
      algorithm: "leaky-bucket",
      capacity: 180,
      leakPerSecond: 1 / 2,
    },
    /**
     * One user's downloads of their data.
     * Three at once, then one every eight hours.
     */
    "export.user": { mode: "enforce", algorithm: "leaky-bucket", capacity: 3, leakPerSecond: 1 / 28_800 },
    /** All requests with one API token: sixty at once, then one a second. */
    "api.token": { mode: "enforce", algorithm: "token-bucket", capacity: 60, refillPerSecond: 1 },
  } satisfies Record<string, Written>;
}

export type PolicyName = keyof ReturnType<typeof defaultLimits>;

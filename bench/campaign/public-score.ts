/** What a campaign is played against: some way of making one public score out of the ratings that arrive. */

export type Answer = "counted" | "held" | "refused";

/** The score of one post. Times are milliseconds and never run back; scores are 0 to 5. */
export interface PublicScore {
  /** Somebody rates, or changes a rating given before. What is held may be counted later. */
  rate(at: number, score: number, userId: number): Answer;
  /** What the public sees; null while there is nothing to see. */
  score(at: number): number | null;
  /** Somebody takes a rating back. Left out where nobody can. */
  withdraw?(at: number, userId: number): void;
  /** What has become of a rating. Left out where the answer that was given stays true for ever. */
  statusOf?(at: number, userId: number): Answer | "excluded";
  /** The author takes out all that is held as a flood. Left out where nobody can. */
  exclude?(at: number): void;
}

export interface Way {
  name: string;
  /** For a post that nobody has rated. */
  make(): PublicScore;
}

import { latestSender } from "../send-latest.ts";

/** A rating; null without one. */
export type Rating = number | null;

type SaveOutcome<Answer> =
  | {
      kind: "answered";
      answer: Answer;
      /** The rating before, to undo this one; absent when unknown or the same. */
      former?: Rating;
    }
  /** No answer came: the rating may be saved or not. */
  | { kind: "lost"; error: unknown };

interface RatingSaverOptions<Answer> {
  /** The rating on the server. */
  initial: Rating;
  /** Rejects when no answer came. */
  send: (score: Rating) => Promise<Answer>;
  /** Whether an answer means that the rating is saved. */
  isSaved: (answer: Answer) => boolean;
}

interface RatingSaver<Answer> {
  /** The rating on the server; undefined after a lost answer. */
  readonly known: Rating | undefined;
  /** Whether this rating is saved, or being saved. */
  isCurrent(score: Rating): boolean;
  /** Saves a rating; undefined for a call that an earlier one answers for. */
  save(score: Rating): Promise<SaveOutcome<Answer> | undefined>;
  /**
   * Takes the rating of a refreshed page.
   * Returns false and changes nothing during a request or after a lost answer: the page may be older.
   */
  refreshed(score: Rating): boolean;
}

/** Saves a reader's ratings in their order, and keeps which one the server has. */
export function createRatingSaver<Answer>({
  initial,
  send,
  isSaved,
}: RatingSaverOptions<Answer>): RatingSaver<Answer> {
  let known: Rating | undefined = initial;
  /** The last rating of the calls in flight. */
  let wanted: { score: Rating } | undefined;
  const sendLatest = latestSender(async (score: Rating): Promise<SaveOutcome<Answer>> => {
    try {
      const answer = await send(score);
      if (isSaved(answer)) known = score;
      return { kind: "answered", answer };
    } catch (error) {
      known = undefined;
      return { kind: "lost", error };
    }
  });
  return {
    get known() {
      return known;
    },
    isCurrent: (score) => score === (wanted ? wanted.score : known),
    async save(score) {
      const former = known;
      wanted = { score };
      const outcome = await sendLatest(score);
      if (!outcome) return undefined;
      wanted = undefined;
      const isUndoable =
        outcome.kind === "answered" && isSaved(outcome.answer) && former !== undefined && former !== known;
      return isUndoable ? { ...outcome, former } : outcome;
    },
    refreshed(score) {
      if (wanted || known === undefined) return false;
      known = score;
      return true;
    },
  };
}

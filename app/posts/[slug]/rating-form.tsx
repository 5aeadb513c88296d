"use client";

import { Form, type FormAction, useFormState } from "@/app/_components/form";
import { SubmitButton } from "@/app/_components/form-fields";
import { starPath } from "@/app/_components/stars";
import { scores } from "@/lib/ratings/score/score";

interface RatingFormProps {
  action: FormAction;
  /** The reader's current score; null without a rating. */
  myScore: number | null;
  /** A message about the last action. */
  notice: string | undefined;
}

/** The form to rate or change a rating. */
export function RatingForm({ action, myScore, notice }: RatingFormProps) {
  return (
    <Form action={action} notice={notice} className="flex flex-col gap-3">
      <StarChoice myScore={myScore} />
      <div>
        {myScore === null ? (
          <SubmitButton pending="Saving…">Rate</SubmitButton>
        ) : (
          <SubmitButton pending="Saving…">Update rating</SubmitButton>
        )}
      </div>
    </Form>
  );
}

function StarChoice({ myScore }: { myScore: number | null }) {
  const { errors, values } = useFormState();
  const chosen = values?.score ?? (myScore === null ? undefined : String(myScore));
  const error = errors?.score?.join(" ");
  return (
    <div
      role="radiogroup"
      aria-label="Your rating"
      aria-describedby={error ? "score-error" : undefined}
      className="-ms-2 flex"
    >
      {scores.map((score) => (
        <label
          key={score}
          className={`rating-choice ${score === 0 ? "rating-choice-zero" : "rating-choice-star"}`}
          title={starsText(score)}
        >
          <input
            type="radio"
            name="score"
            value={score}
            aria-label={starsText(score)}
            aria-invalid={error !== undefined}
            defaultChecked={chosen === String(score)}
          />
          {score === 0 ? (
            <span aria-hidden="true">0</span>
          ) : (
            <svg viewBox="0 0 24 24" className="size-8" aria-hidden="true">
              <path d={starPath} stroke="currentColor" strokeWidth="1.3" strokeLinejoin="round" />
            </svg>
          )}
        </label>
      ))}
      {error && (
        <p id="score-error" className="ms-3 self-center text-sm text-wrong">
          {error}
        </p>
      )}
    </div>
  );
}

function starsText(score: number): string {
  return score === 1 ? "1 star" : `${score} stars`;
}

import { useRef } from "react";
import { scores } from "@/lib/ratings/score/score";
import { StarFace } from "./star-face";

interface StarChoiceProps {
  label: string;
  /** The names of 0 to 5 stars. */
  stars: readonly string[];
  /** The digit in the circle. */
  zero: string;
  initial: number | null;
  /** Whether the choice is not saved. */
  isUnsaved: boolean;
  error: string | undefined;
  /** Called when the arrow keys move to another choice. */
  onMove: (score: number) => void;
  /** Called when a choice is clicked, or Enter or Space is pressed on it. */
  onChoice: (score: number) => void;
}

/** Six radio buttons: 0, drawn as a circle, and five stars. */
export function StarChoice(props: StarChoiceProps) {
  const { label, stars, zero, initial, isUnsaved, error, onMove, onChoice } = props;
  // An arrow key clicks the radio button that it moves to.
  const isMoving = useRef(false);
  return (
    <div
      role="radiogroup"
      aria-label={label}
      aria-describedby={error ? "score-error" : undefined}
      data-unsaved={isUnsaved || undefined}
      className="rating-choices -ms-2 flex"
      onKeyUp={() => {
        isMoving.current = false;
      }}
    >
      {scores.map((score) => (
        <label
          key={score}
          className={`rating-choice ${score === 0 ? "rating-choice-zero" : "rating-choice-star"}`}
          title={stars[score]}
        >
          <input
            type="radio"
            name="score"
            value={score}
            aria-label={stars[score]}
            aria-invalid={error !== undefined}
            defaultChecked={initial === score}
            autoComplete="off"
            onKeyDown={(event) => {
              isMoving.current = event.key.startsWith("Arrow");
              if (event.key !== "Enter" && event.key !== " ") return;
              event.preventDefault();
              event.currentTarget.checked = true;
              onChoice(score);
            }}
            onClick={() => {
              (isMoving.current ? onMove : onChoice)(score);
              isMoving.current = false;
            }}
          />
          <StarFace score={score} zero={zero} />
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

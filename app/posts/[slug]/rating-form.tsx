// Over 200 lines: one form's states: choosing, saving, saved, undone, refused.

"use client";

import { useActionState, useEffect, useRef, useState } from "react";
import type { FormAction, FormState } from "@/app/_components/form";
import { failedState } from "@/app/_components/form-failure";
import { FormMessages } from "@/app/_components/form-messages";
import { Refusal } from "@/app/_components/refusal";
import { useTexts } from "@/app/_components/texts";
import { createRatingSaver, type Rating } from "./rating-saver";
import type { RatingAnswer, RatingTexts } from "./rating-texts";
import { StarChoice } from "./star-choice";

export interface RatingFormTexts {
  yourRating: string;
  /** The names of 0 to 5 stars. */
  stars: readonly string[];
  zero: string;
  rate: string;
  update: string;
  withdraw: string;
  undo: string;
  saving: string;
  /** For each choice, that it is not saved. */
  unsaved: readonly string[];
  kept: string;
}

interface RatingFormProps {
  /** The actions of the forms without JavaScript. */
  rateByForm: FormAction;
  withdrawByForm: () => Promise<never>;
  /** The action of the script; null withdraws. */
  rateInPlace: (score: Rating) => Promise<RatingAnswer>;
  myScore: Rating;
  /** A choice from before the reader logged in. */
  chosen: Rating;
  /** A message about the last action. */
  notice: RatingTexts | undefined;
  /** Why the rating does not count, if it does not. */
  standing: React.ReactNode;
  texts: RatingFormTexts;
}

type RatingMessage =
  | { kind: "saving" }
  /** Can be undone to the former rating. */
  | { kind: "saved"; texts: RatingTexts; former: Rating | undefined }
  | { kind: "failed"; state: FormState };

/**
 * The stars to rate with.
 * A click saves at once, and Enter or Space on a focused star; the arrow keys only move, so that no rating is saved
 * on the way. A choice that is not saved stays, with a button. Without JavaScript that button is always there.
 */
export function RatingForm(props: RatingFormProps) {
  const { rateByForm, withdrawByForm, rateInPlace, myScore, chosen, standing, texts } = props;
  const shared = useTexts();
  const form = useRef<HTMLFormElement>(null);
  const [stateInPage, actionInPage] = useActionState(rateByForm, {});
  const [initial] = useState(() => sentChoice(stateInPage) ?? chosen ?? myScore);
  const [choice, setChoice] = useState(initial);
  /** Undefined while it is unknown, after a lost answer. */
  const [saved, setSaved] = useState<Rating | undefined>(myScore);
  const [message, setMessage] = useState<RatingMessage | null>(() => {
    if (hasMessages(stateInPage)) return { kind: "failed", state: stateInPage };
    return props.notice ? { kind: "saved", texts: props.notice, former: undefined } : null;
  });
  const hasRating = (saved === undefined ? myScore : saved) !== null;
  const verb = hasRating ? texts.update : texts.rate;
  const isUnsaved = choice !== saved && message?.kind !== "saving";

  const [saver] = useState(() =>
    createRatingSaver({ initial: myScore, send: rateInPlace, isSaved: (answer) => "text" in answer }),
  );

  const choose = (score: Rating) => {
    check(form.current, score);
    setChoice(score);
  };
  const save = async (score: Rating) => {
    choose(score);
    if (saver.isCurrent(score)) {
      if (message?.kind === "failed") setMessage(null);
      return;
    }
    setMessage({ kind: "saving" });
    const outcome = await saver.save(score);
    if (!outcome) return;
    setSaved(saver.known);
    if (outcome.kind === "lost")
      setMessage({ kind: "failed", state: failedState(outcome.error, texts.kept, shared) });
    else if ("state" in outcome.answer) setMessage({ kind: "failed", state: outcome.answer.state });
    else setMessage({ kind: "saved", texts: outcome.answer, former: outcome.former });
  };
  /** Saves a rating by a button, which may go then: the stars get the focus. */
  const saveByButton = (score: Rating) => {
    void save(score);
    form.current
      ?.querySelector<HTMLElement>(score === null ? "[name=score]" : "[name=score]:checked")
      ?.focus({ preventScroll: true });
  };

  // The page was refreshed, perhaps with a rating from another tab.
  useEffect(() => {
    const isChosen = checkedIn(form.current) === saver.known;
    if (!saver.refreshed(myScore)) return;
    setSaved(myScore);
    if (isChosen) check(form.current, myScore);
    setChoice(checkedIn(form.current));
  }, [myScore, saver]);

  // A star may have been chosen before the page's scripts ran.
  const saveEarly = useRef(save);
  useEffect(() => {
    const early = checkedIn(form.current);
    if (early === initial || early === null) return;
    // The arrow keys only move, so no rating is saved on the way.
    if (form.current?.querySelector(":focus-visible")) setChoice(early);
    else void saveEarly.current(early);
  }, [initial]);

  return (
    <>
      <form
        ref={form}
        action={actionInPage}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          const score = checkedIn(form.current);
          if (score !== null) saveByButton(score);
        }}
      >
        <StarChoice
          label={texts.yourRating}
          stars={texts.stars}
          zero={texts.zero}
          initial={initial}
          isUnsaved={isUnsaved}
          error={stateInPage.errors?.score?.join(" ")}
          onMove={setChoice}
          onChoice={(score) => void save(score)}
        />
        {!isUnsaved && (
          <noscript>
            <button type="submit" className="button button-primary mt-3">
              {verb}
            </button>
          </noscript>
        )}
        {/* High enough for the longest sentence about a held rating, so that nothing below moves. */}
        <div className="mt-2 min-h-27 text-sm sm:min-h-16">
          <div role="status" className="flex flex-col gap-1">
            {message?.kind === "saving" && <p className="text-quiet">{texts.saving}</p>}
            {message?.kind === "saved" && !isUnsaved && (
              <Saved {...message} undo={texts.undo} onUndo={saveByButton} />
            )}
            {message?.kind === "failed" && <FormMessages state={message.state} kept={texts.kept} />}
            {message?.kind !== "failed" && isUnsaved && choice !== null && <p>{texts.unsaved[choice]}</p>}
            {message?.kind !== "saving" && standing}
          </div>
          {message?.kind === "failed" && message.state.refusal && (
            <Refusal key={message.state.refusal.at} retryAfterMs={message.state.refusal.retryAfterMs} />
          )}
          {isUnsaved && choice !== null && (
            <button type="submit" className="button button-primary mt-2">
              {verb}
            </button>
          )}
        </div>
      </form>
      {/* As high without it, so that nothing below moves after a first rating. */}
      <div className="mt-2 min-h-5 text-sm">
        {hasRating && (
          <form
            action={withdrawByForm}
            onSubmit={(event) => {
              event.preventDefault();
              saveByButton(null);
            }}
          >
            <button type="submit" className="link-button">
              {texts.withdraw}
            </button>
          </form>
        )}
      </div>
    </>
  );
}

interface SavedProps {
  texts: RatingTexts;
  former: Rating | undefined;
  undo: string;
  onUndo: (former: Rating) => void;
}

function Saved({ texts: { text, note }, former, undo, onUndo }: SavedProps) {
  return (
    <>
      <p className="font-medium">
        {text}
        {former !== undefined && (
          <>
            {" · "}
            <button type="button" className="link-button" onClick={() => onUndo(former)}>
              {undo}
            </button>
          </>
        )}
      </p>
      {note && <p className="text-quiet">{note}</p>}
    </>
  );
}

/** The choice in a form that came back without JavaScript. */
function sentChoice({ values }: FormState): Rating {
  return values?.score === undefined ? null : Number(values.score);
}

function hasMessages({ errors, refusal, logInPath }: FormState): boolean {
  return errors !== undefined || refusal !== undefined || logInPath !== undefined;
}

function radiosIn(form: HTMLFormElement | null): HTMLInputElement[] {
  return [...(form?.querySelectorAll<HTMLInputElement>("[name=score]") ?? [])];
}

function checkedIn(form: HTMLFormElement | null): Rating {
  const checked = radiosIn(form).find((radio) => radio.checked);
  return checked ? Number(checked.value) : null;
}

function check(form: HTMLFormElement | null, score: Rating): void {
  for (const radio of radiosIn(form)) radio.checked = radio.value === String(score);
}

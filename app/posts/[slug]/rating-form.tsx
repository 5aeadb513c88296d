"use client";

import { useActionState, useEffect, useRef, useState } from "react";
import type { FormAction, FormState } from "@/app/_components/form";
import { failedState } from "@/app/_components/form-failure";
import { FormMessages } from "@/app/_components/form-messages";
import { Refusal } from "@/app/_components/refusal";
import { useTexts } from "@/app/_components/texts";
import type { RatingAnswer, RatingTexts } from "./rating-texts";
import { latestSender } from "./send-latest";
import { StarChoice } from "./star-choice";

/** A rating; null without one. */
type Rating = number | null;

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

type Message =
  | { kind: "saving" }
  /** Can be undone to the former rating. */
  | { kind: "saved"; texts: RatingTexts; former?: Rating }
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
  const [saved, setSaved] = useState(myScore);
  const [message, setMessage] = useState<Message | null>(() => {
    if (hasMessages(stateInPage)) return { kind: "failed", state: stateInPage };
    return props.notice ? { kind: "saved", texts: props.notice } : null;
  });
  const verb = saved === null ? texts.rate : texts.update;
  const isUnsaved = choice !== saved && message?.kind !== "saving";

  /** The rating on the server, as far as this page knows. */
  const known = useRef(myScore);
  const isSending = useRef(false);
  const wanted = useRef<Rating>(null);
  const [send] = useState(() =>
    latestSender(async (score: Rating): Promise<RatingAnswer> => {
      try {
        const answer = await rateInPlace(score);
        if ("text" in answer) known.current = score;
        return answer;
      } catch (error) {
        return { state: failedState(error, texts.kept, shared) };
      }
    }),
  );

  const choose = (score: Rating) => {
    check(form.current, score);
    setChoice(score);
  };
  const save = async (score: Rating) => {
    choose(score);
    const current = isSending.current ? wanted.current : known.current;
    if (score === current) {
      if (message?.kind === "failed") setMessage(null);
      return;
    }
    wanted.current = score;
    const former = known.current;
    isSending.current = true;
    setMessage({ kind: "saving" });
    const answer = await send(score);
    if (!answer) return;
    isSending.current = false;
    setSaved(known.current);
    if ("state" in answer) setMessage({ kind: "failed", state: answer.state });
    else setMessage({ kind: "saved", texts: answer, former });
  };
  /** Saves another rating; the pressed button may go, so the stars get the focus. */
  const saveOther = (score: Rating) => {
    void save(score);
    form.current
      ?.querySelector<HTMLElement>(score === null ? "[name=score]" : "[name=score]:checked")
      ?.focus({ preventScroll: true });
  };

  // The page was refreshed, perhaps with a rating from another tab.
  useEffect(() => {
    if (isSending.current) return;
    const isChosen = checkedIn(form.current) === known.current;
    known.current = myScore;
    setSaved(myScore);
    if (isChosen) check(form.current, myScore);
    setChoice(checkedIn(form.current));
  }, [myScore]);

  // A star may have been clicked before the page's scripts ran.
  const saveEarly = useRef(save);
  useEffect(() => {
    const early = checkedIn(form.current);
    if (early !== initial && early !== null) void saveEarly.current(early);
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
          if (score !== null) void save(score);
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
        <div className="mt-2 min-h-16 text-sm">
          <div role="status" className="flex flex-col gap-1">
            {message?.kind === "saving" && <p className="text-quiet">{texts.saving}</p>}
            {message?.kind === "saved" && !isUnsaved && (
              <Saved {...message} undo={texts.undo} onUndo={saveOther} />
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
      {saved !== null && (
        <form
          action={withdrawByForm}
          onSubmit={(event) => {
            event.preventDefault();
            saveOther(null);
          }}
        >
          <button type="submit" className="link-button mt-2 text-sm">
            {texts.withdraw}
          </button>
        </form>
      )}
    </>
  );
}

interface SavedProps {
  texts: RatingTexts;
  former?: Rating;
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

"use client";

/**
 * A form with a challenge, which the browser solves while the form is filled in.
 * Without JavaScript, or where the browser cannot compute it, the form is accepted some seconds after the page was
 * opened.
 */
import { useEffect, useRef, useState } from "react";
import { Form, type FormAction, useFormState, useSubmitAfter } from "@/app/_components/form";

interface ChallengeFormProps {
  action: FormAction;
  /** As JSON; null where none is needed. */
  challenge: string | null;
  texts: {
    /** Shown while the challenge is solved. */
    puzzle: string;
    /** How long to wait without JavaScript; null where no wait is needed. */
    wait: string | null;
  };
  children: React.ReactNode;
}

export function ChallengeForm({ action, challenge, texts, children }: ChallengeFormProps) {
  return (
    <Form action={action} className="mt-8 flex flex-col gap-5">
      {children}
      {challenge !== null && <Challenge issued={challenge} texts={texts} />}
    </Form>
  );
}

function Challenge({ issued, texts }: Pick<ChallengeFormProps, "texts"> & { issued: string }) {
  const state = useFormState();
  const submitAfter = useSubmitAfter();
  // An action returns another one when this one can no longer be used.
  const challenge = state.values?.challenge ?? issued;
  const field = useRef<HTMLInputElement>(null);
  const [isSolving, setIsSolving] = useState(false);

  useEffect(() => {
    const controller = new AbortController();
    const solve = async () => {
      if (field.current) field.current.value = "";
      setIsSolving(true);
      try {
        const { solveChallenge } = await import("@/lib/challenge/solve");
        const solution = await solveChallenge(JSON.parse(challenge), controller);
        if (solution && field.current) field.current.value = JSON.stringify(solution);
      } catch {
        // The form is accepted a little later without a solution.
      } finally {
        if (!controller.signal.aborted) setIsSolving(false);
      }
    };
    submitAfter(solve());
    return () => controller.abort();
  }, [challenge, submitAfter]);

  return (
    <>
      <input type="hidden" name="challenge" value={challenge} readOnly />
      <input type="hidden" name="solution" ref={field} />
      <p role="status" className="text-sm text-quiet empty:hidden">
        {isSolving && texts.puzzle}
      </p>
      {texts.wait !== null && (
        <noscript>
          <p className="text-sm text-quiet">{texts.wait}</p>
        </noscript>
      )}
    </>
  );
}

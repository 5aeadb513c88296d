"use client";

import { useRef, useState } from "react";
import { type FormState, useFormState } from "@/app/_components/form";

export type Choice = "counted" | "excluded";

const words = {
  counted: { choose: "Include", choosing: "Including…" },
  excluded: { choose: "Exclude", choosing: "Excluding…" },
} as const;

/** The buttons of a form, each of which sends a decision of its own as `status`. */
export function DecisionButtons({ choices }: { choices: readonly Choice[] }) {
  const state = useFormState();
  const chosen = useRef<HTMLInputElement>(null);
  const [pressed, setPressed] = useState<{ choice: Choice; before: FormState }>();
  // An answer brings another state, or another page.
  const pending = pressed?.before === state ? pressed.choice : undefined;
  return (
    <div className="flex flex-wrap gap-3">
      {choices.map((choice) => (
        <button
          key={choice}
          type="submit"
          name="status"
          value={choice}
          className="button"
          aria-disabled={pending !== undefined}
          onClick={() => {
            if (pending || !chosen.current) return;
            chosen.current.value = choice;
            setPressed({ choice, before: state });
          }}
        >
          {words[choice][pending === choice ? "choosing" : "choose"]}
        </button>
      ))}
      {/* Without JavaScript the button itself is sent, and read, before this one. A form that JavaScript sends leaves buttons out. */}
      <input ref={chosen} type="hidden" name="status" />
    </div>
  );
}

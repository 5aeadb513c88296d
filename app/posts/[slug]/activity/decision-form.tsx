import { ChoiceButton, Field, Form } from "@/app/_components/form";
import type { FloodWindow } from "@/lib/ratings/flood-window";
import { decideWindowOf } from "./actions";
import { FormDisclosure } from "./form-disclosure";

const choices = [
  { status: "counted", choose: "Include", choosing: "Including…" },
  { status: "excluded", choose: "Exclude", choosing: "Excluding…" },
] as const;

interface DecisionFormProps {
  slug: string;
  window: FloodWindow;
  /** Whether the form is open although the window is decided. */
  isOpen: boolean;
  /** Facts to know before deciding. */
  children: React.ReactNode;
}

/** The form to include or exclude a window, repeatedly. */
export function DecisionForm({ slug, window, isOpen, children }: DecisionFormProps) {
  const { number, status, decisions } = window;
  const parts = (
    <div className="mt-5 flex max-w-lg flex-col gap-4">
      {children}
      <div className="mt-2">
        <Field
          label="Why"
          name="why"
          rows={2}
          help="A sentence for the log below, where your name stands too."
        />
      </div>
      <input type="hidden" name="after" value={decisions} />
      <div className="flex flex-wrap gap-3">
        {choices
          .filter((choice) => choice.status !== status)
          .map((choice) => (
            <ChoiceButton key={choice.status} name="status" value={choice.status} pending={choice.choosing}>
              {choice.choose}
            </ChoiceButton>
          ))}
      </div>
    </div>
  );
  return (
    <Form key={decisions} action={decideWindowOf.bind(null, slug, number)} className="mt-3">
      {status === "held" ? (
        parts
      ) : (
        <FormDisclosure
          summary={`A closer look, or ${status === "counted" ? "exclude" : "include"} it`}
          isOpen={isOpen}
        >
          {parts}
        </FormDisclosure>
      )}
    </Form>
  );
}

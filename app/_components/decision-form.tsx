import type { FloodWindow } from "@/lib/ratings/floods/flood-window";
import { decideWindowOf } from "./decide-window";
import { Form } from "./form";
import { FormDisclosure } from "./form-disclosure";
import { ChoiceButton, Field } from "./form-fields";

const choices = [
  { status: "counted", choose: "Include", choosing: "Including…", keep: "Leave it included" },
  { status: "excluded", choose: "Exclude", choosing: "Excluding…", keep: "Leave it excluded" },
] as const;

interface DecisionFormProps {
  slug: string;
  window: FloodWindow;
  /** Whether the form is open although the window is decided. */
  isOpen: boolean;
  /** Whether the author requested a review, which confirming the status answers too. */
  isRequested?: boolean;
  /** Facts to know before deciding. */
  children?: React.ReactNode;
}

/** The form to include or exclude a window, repeatedly. */
export function DecisionForm({ slug, window, isOpen, isRequested = false, children }: DecisionFormProps) {
  const { number, status, decisions } = window;
  const parts = (
    <div className="mt-5 flex max-w-lg flex-col gap-4">
      {children}
      <div className="mt-2">
        <Field
          label="Why"
          name="why"
          rows={2}
          help="A sentence that everyone can read on the post’s page, with your name and role."
        />
      </div>
      <input type="hidden" name="after" value={decisions} />
      <div className="flex flex-wrap gap-3">
        {choices
          .filter((choice) => isRequested || choice.status !== status)
          .map((choice) => (
            <ChoiceButton key={choice.status} name="status" value={choice.status} pending={choice.choosing}>
              {choice.status === status ? choice.keep : choice.choose}
            </ChoiceButton>
          ))}
      </div>
    </div>
  );
  return (
    <Form key={decisions} action={decideWindowOf.bind(null, slug, number)} className="mt-3">
      {status === "held" || isRequested ? (
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

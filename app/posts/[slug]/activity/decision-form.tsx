import { Field, Form } from "@/app/_components/form";
import type { FloodWindow } from "@/lib/ratings/flood-window";
import { decideWindowOf } from "./actions";
import { type Choice, DecisionButtons } from "./decision-buttons";
import { UntilAsked } from "./until-asked";

const choices: Record<FloodWindow["status"], readonly Choice[]> = {
  held: ["counted", "excluded"],
  counted: ["excluded"],
  excluded: ["counted"],
};

interface DecisionFormProps {
  slug: string;
  window: FloodWindow;
  /** Whether it is open though the window is decided. */
  isOpen: boolean;
  /** What to know before deciding. */
  children: React.ReactNode;
}

/** Where a person says that a window counts, or that it does not; as often as they like. */
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
      <DecisionButtons choices={choices[status]} />
    </div>
  );
  return (
    <Form key={decisions} action={decideWindowOf.bind(null, slug, number)} className="mt-3">
      {status === "held" ? (
        parts
      ) : (
        <UntilAsked
          summary={`A closer look, or ${status === "counted" ? "exclude" : "include"} it`}
          isOpen={isOpen}
        >
          {parts}
        </UntilAsked>
      )}
    </Form>
  );
}

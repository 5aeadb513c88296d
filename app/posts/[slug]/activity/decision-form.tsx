import { Field, Form } from "@/app/_components/form";
import type { FloodWindow } from "@/lib/ratings/flood-window";
import { decideWindowOf } from "./actions";
import { type Choice, DecisionButtons } from "./decision-buttons";

const choices: Record<FloodWindow["status"], readonly Choice[]> = {
  held: ["counted", "excluded"],
  counted: ["excluded"],
  excluded: ["counted"],
};

/** Where a person says that a window counts, or that it does not; as often as they like. */
export function DecisionForm({ slug, window }: { slug: string; window: FloodWindow }) {
  const { number, status, decisions } = window;
  return (
    <Form
      key={decisions}
      action={decideWindowOf.bind(null, slug, number)}
      className="flex max-w-lg flex-col gap-4"
    >
      <Field
        label="Why"
        name="why"
        rows={2}
        help="A sentence for the log below, where your name stands too."
      />
      <input type="hidden" name="after" value={decisions} />
      <DecisionButtons choices={choices[status]} />
    </Form>
  );
}

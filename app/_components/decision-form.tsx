import { translator } from "@/lib/i18n";
import type { FloodPreview } from "@/lib/ratings/decisions/flood-previews";
import type { FloodWindow } from "@/lib/ratings/floods/flood-window";
import { currentTime } from "@/lib/time/current-time";
import { decideWindowOf } from "./decide-window";
import { Form } from "./form";
import { FormDisclosure } from "./form-disclosure";
import { ChoiceButton, Field } from "./form-fields";
import { previewText } from "./preview-text";

const statuses = ["excluded", "counted"] as const;

interface DecisionFormProps {
  slug: string;
  window: FloodWindow;
  /** Whether the form is open although the window is decided. */
  isOpen: boolean;
  /** Whether the author requested a review, which confirming the status answers too. */
  isRequested?: boolean;
  /** The scores that each decision would give. */
  preview?: FloodPreview | undefined;
  /** Facts to know before deciding. */
  children?: React.ReactNode;
}

/** The form to count a window or leave it out, repeatedly. */
export function DecisionForm({
  slug,
  window,
  isOpen,
  isRequested = false,
  preview,
  children,
}: DecisionFormProps) {
  const t = translator("flood");
  const { number, status, decisions } = window;
  const labels = {
    excluded: {
      choose: t("choice.excluded"),
      choosing: t("choice.excluding"),
      keep: t("choice.stayExcluded"),
    },
    counted: { choose: t("choice.counted"), choosing: t("choice.counting"), keep: t("choice.stayCounted") },
  };
  const now = currentTime();
  const parts = (
    <div className="mt-5 flex max-w-lg flex-col gap-4">
      {children}
      <Field label={t("why")} name="why" rows={2} help={t("whyHelp")} />
      <input type="hidden" name="after" value={decisions} />
      <div className="flex flex-col gap-3">
        {statuses
          .filter((each) => isRequested || each !== status)
          .map((each) => (
            <div key={each} className="flex flex-wrap items-baseline gap-x-4 gap-y-1">
              <ChoiceButton name="status" value={each} pending={labels[each].choosing}>
                {each === status ? labels[each].keep : labels[each].choose}
              </ChoiceButton>
              {preview && (
                <span className="min-w-0 basis-56 grow text-sm text-quiet">
                  {previewText(preview[each], now)}
                </span>
              )}
            </div>
          ))}
      </div>
    </div>
  );
  return (
    <Form key={decisions} action={decideWindowOf.bind(null, slug, number)} className="mt-3">
      {status === "held" || isRequested ? (
        parts
      ) : (
        <FormDisclosure summary={t("change")} isOpen={isOpen}>
          {parts}
        </FormDisclosure>
      )}
    </Form>
  );
}

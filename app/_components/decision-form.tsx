import { translator } from "@/lib/i18n";
import type { FloodPreview } from "@/lib/ratings/decisions/flood-previews";
import type { DecidedStatus, FloodWindow } from "@/lib/ratings/floods/flood-window";
import { currentTime } from "@/lib/time/current-time";
import { decideWindowOf } from "./decide-window";
import { Form } from "./form";
import { FormDisclosure } from "./form-disclosure";
import { ChoiceButton, Field } from "./form-fields";
import { previewText } from "./preview-text";

interface DecisionFormProps {
  slug: string;
  window: FloodWindow;
  /** Whether the form is open although the window is decided. */
  isOpen: boolean;
  /** Whether the author requested a review, which confirming the status answers too. */
  isRequested?: boolean;
  /** The scores that each decision would give. */
  preview?: FloodPreview | undefined;
}

/** The form to count a window or leave it out, repeatedly. */
export function DecisionForm({ slug, window, isOpen, isRequested = false, preview }: DecisionFormProps) {
  const t = translator("flood");
  const { number, status, decisions } = window;
  const now = currentTime();
  const parts = (
    <div className="mt-5 flex max-w-lg flex-col gap-4">
      <Field label={t("why")} name="why" rows={2} help={t("whyHelp")} />
      <input type="hidden" name="after" value={decisions} />
      <div className="flex flex-col gap-3">
        {possibleDecisions(window, isRequested).map((each) => (
          <div key={each} className="flex flex-wrap items-baseline gap-x-4 gap-y-1">
            <ChoiceButton
              name="status"
              value={each}
              pending={t(each === "counted" ? "choice.counting" : "choice.excluding")}
            >
              {decisionLabel(each, window)}
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

interface DecisionOptionsProps extends Pick<DecisionFormProps, "window" | "isRequested"> {
  preview: FloodPreview;
}

/** The decisions that other users can make, for a viewer who cannot. */
export function DecisionOptions({ window, isRequested = false, preview }: DecisionOptionsProps) {
  const now = currentTime();
  return (
    <div className="mt-3">
      <p>{translator("flood")("options")}</p>
      <dl className="mt-2 flex flex-col gap-2 border-s border-hairline ps-3">
        {possibleDecisions(window, isRequested).map((each) => (
          <div key={each}>
            <dt className="font-semibold">{decisionLabel(each, window)}</dt>
            <dd>{previewText(preview[each], now)}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

/** The decisions that change something, or answer a request. */
function possibleDecisions({ status }: FloodWindow, isRequested: boolean): DecidedStatus[] {
  const all: DecidedStatus[] = ["excluded", "counted"];
  return all.filter((each) => isRequested || each !== status);
}

function decisionLabel(decision: DecidedStatus, { status }: FloodWindow): string {
  const t = translator("flood");
  if (decision === status) return t(decision === "counted" ? "choice.stayCounted" : "choice.stayExcluded");
  return t(`choice.${decision}`);
}

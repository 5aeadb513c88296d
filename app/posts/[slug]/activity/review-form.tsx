import { Form } from "@/app/_components/form";
import { FormDisclosure } from "@/app/_components/form-disclosure";
import { Field, SubmitButton } from "@/app/_components/form-fields";
import { Moment } from "@/app/_components/time";
import { translator } from "@/lib/i18n";
import type { ReviewRequest } from "@/lib/ratings/decisions/review-requests";
import type { FloodWindow } from "@/lib/ratings/floods/flood-window";
import { requestReviewOf } from "./actions";

interface ReviewFormProps {
  slug: string;
  window: FloodWindow;
  /** The open request. */
  request: ReviewRequest | undefined;
}

/** An author's request to review a window: the form, or the open request. */
export function ReviewForm({ slug, window, request }: ReviewFormProps) {
  const { number, decisions } = window;
  const t = translator("flood");
  if (request)
    return (
      <p className="mt-3 text-[0.9375rem]">
        {t.rich("review.byYou", {
          time: () => <Moment at={request.at} />,
          why: () => <q dir="auto">{request.why}</q>,
        })}
      </p>
    );
  return (
    <Form key={decisions} action={requestReviewOf.bind(null, slug, number)} className="mt-3">
      <FormDisclosure summary={t("review.request")} isOpen={false}>
        <div className="mt-4 flex max-w-lg flex-col gap-4">
          <Field label={t("review.reason")} name="why" rows={2} help={t("review.reasonHelp")} />
          <div>
            <SubmitButton pending={t("review.submitting")}>{t("review.request")}</SubmitButton>
          </div>
        </div>
      </FormDisclosure>
    </Form>
  );
}

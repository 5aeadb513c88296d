import { Form } from "@/app/_components/form";
import { FormDisclosure } from "@/app/_components/form-disclosure";
import { Field, SubmitButton } from "@/app/_components/form-fields";
import { Moment } from "@/app/_components/time";
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
  if (request)
    return (
      <p className="mt-3 text-[0.9375rem]">
        You requested a review on <Moment at={request.at} />: <q dir="auto">{request.why}</q> An administrator
        or a moderator decides.
      </p>
    );
  return (
    <Form key={decisions} action={requestReviewOf.bind(null, slug, number)} className="mt-3">
      <FormDisclosure summary="Ask for a review" isOpen={false}>
        <div className="mt-4 flex max-w-lg flex-col gap-4">
          <Field
            label="Reason"
            name="why"
            rows={2}
            help="Say what you know of these ratings, and whether they should count. Administrators and moderators read it, and one of them decides."
          />
          <div>
            <SubmitButton pending="Sending…">Ask for a review</SubmitButton>
          </div>
        </div>
      </FormDisclosure>
    </Form>
  );
}

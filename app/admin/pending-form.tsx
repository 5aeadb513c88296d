import { ChoiceButton, Form } from "@/app/_components/form";
import { decidePending } from "./registration-actions";

/** An account that waits, with the buttons that approve or reject it. */
export function PendingForm({ username, children }: { username: string; children: React.ReactNode }) {
  return (
    <Form action={decidePending} className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-2">
      <div className="min-w-0 flex-1 basis-52">{children}</div>
      <input type="hidden" name="username" value={username} />
      <div className="flex gap-2">
        <ChoiceButton name="decision" value="approve" pending="Approving…">
          Approve<span className="sr-only"> {username}</span>
        </ChoiceButton>
        <ChoiceButton name="decision" value="reject" pending="Rejecting…">
          Reject<span className="sr-only"> {username}</span>
        </ChoiceButton>
      </div>
    </Form>
  );
}

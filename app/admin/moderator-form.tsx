import { Form } from "@/app/_components/form";
import { ChoiceButton, Field } from "@/app/_components/form-fields";
import { userPath } from "@/lib/paths";
import { changeModerator } from "./moderator-actions";

/**
 * The moderators, and the form to name one.
 * Each has a button to take the role away.
 */
export function ModeratorForm({ moderators }: { moderators: readonly string[] }) {
  return (
    <>
      <p className="mb-4 text-sm text-quiet">
        Moderators decide on floods of other authors’ posts, as administrators do, and see the activity of
        these posts, but not this page. A new moderator does not decide on floods of your own posts that began
        before you made them one.
      </p>
      {moderators.length > 0 && (
        <ul className="mb-6 divide-y divide-hairline border-y border-hairline">
          {moderators.map((username) => (
            <li key={username}>
              <Form
                action={changeModerator}
                className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-2 py-3"
              >
                <a href={userPath(username)} className="min-w-0 break-words">
                  <bdi>{username}</bdi>
                </a>
                <input type="hidden" name="username" value={username} />
                <ChoiceButton name="role" value="none" pending="Removing…">
                  Remove<span className="sr-only"> {username}</span>
                </ChoiceButton>
              </Form>
            </li>
          ))}
        </ul>
      )}
      <Form
        key={moderators.length}
        action={changeModerator}
        className="flex max-w-sm flex-col items-start gap-4"
      >
        <div className="w-full">
          <Field label="Username" name="username" autoComplete="off" />
        </div>
        <ChoiceButton name="role" value="moderator" pending="Saving…">
          Make moderator
        </ChoiceButton>
      </Form>
    </>
  );
}

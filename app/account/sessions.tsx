import { EndSessionForm } from "@/app/_components/end-session-form";
import { Form } from "@/app/_components/form";
import { Moment } from "@/app/_components/time";
import { app } from "@/lib/app";
import { type ListedSession, type Session, sessionsOf } from "@/lib/sessions";
import { currentTime } from "@/lib/time/current-time";
import { endOne, endOthers, logOutEverywhere } from "./actions";

/**
 * The user's sessions, with buttons to end them.
 * `notice` is about the last action.
 */
export async function Sessions({ session, notice }: { session: Session; notice: string | undefined }) {
  const sessions = await sessionsOf(app(), session, currentTime());
  return (
    <>
      <p className="mb-5 text-quiet">
        These are the browsers and programs where you are logged in. If you do not recognise one, log it out
        and change your password. API tokens are not affected.
      </p>
      <p role="status" className="mb-4 empty:hidden">
        {notice}
      </p>
      <ul className="mb-6 divide-y divide-hairline border-y border-hairline">
        {sessions.map((each) => (
          <SessionRow key={each.id} {...each} userId={session.user.id} />
        ))}
      </ul>
      <div className="flex flex-wrap gap-3">
        {sessions.length > 1 && (
          <Form action={endOthers}>
            <button type="submit" className="button">
              Log out all others
            </button>
          </Form>
        )}
        <EndSessionForm action={logOutEverywhere} userId={session.user.id}>
          <button type="submit" className="button">
            Log out everywhere
          </button>
        </EndSessionForm>
      </div>
    </>
  );
}

function SessionRow({
  id,
  userId,
  device,
  createdAt,
  lastUsedAt,
  isCurrent,
}: ListedSession & { userId: number }) {
  const action = endOne.bind(null, id);
  const button = (
    <button type="submit" className="button">
      Log out
      <span className="sr-only">
        {" "}
        {device}, logged in <Moment at={createdAt} />
      </span>
    </button>
  );
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-5 gap-y-3 py-4">
      <div className="min-w-0 flex-1 basis-52">
        <h3 className="font-medium">
          <bdi>{device}</bdi>
          {isCurrent && <span className="font-normal text-quiet"> · this session</span>}
        </h3>
        <p className="mt-1 text-sm text-quiet">
          <bdi dir="ltr">
            logged in <Moment at={createdAt} /> · last used <Moment at={lastUsedAt} /> UTC
          </bdi>
        </p>
      </div>
      {isCurrent ? (
        <EndSessionForm action={action} userId={userId}>
          {button}
        </EndSessionForm>
      ) : (
        <Form action={action}>{button}</Form>
      )}
    </li>
  );
}

import { deviceText } from "@/app/_components/device-text";
import { EndSessionForm } from "@/app/_components/end-session-form";
import { Form } from "@/app/_components/form";
import { Moment } from "@/app/_components/time";
import { app } from "@/lib/app";
import { translator } from "@/lib/i18n";
import { directionOf } from "@/lib/i18n/locale";
import { currentLocale } from "@/lib/request/current-request";
import { type ListedSession, type Session, sessionsOf } from "@/lib/sessions";
import { currentTime } from "@/lib/time/current-time";
import { endOne, endOthers, logOutEverywhere } from "./actions";

/**
 * The user's sessions, with buttons to end them.
 * `notice` is about the last action.
 */
export async function Sessions({ session, notice }: { session: Session; notice: string | undefined }) {
  const sessions = await sessionsOf(app(), session, currentTime());
  const t = translator("account");
  return (
    <>
      <p className="mb-5 text-quiet">{t("sessions.intro")}</p>
      <p role="status" className="mb-4 empty:hidden">
        {notice === "one" && t("sessions.ended.one")}
        {notice === "others" && t("sessions.ended.others")}
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
              {t("sessions.logOutOthers")}
            </button>
          </Form>
        )}
        <EndSessionForm action={logOutEverywhere} userId={session.user.id}>
          <button type="submit" className="button">
            {t("sessions.logOutEverywhere")}
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
  const t = translator("account");
  const action = endOne.bind(null, id);
  const since = () => <Moment at={createdAt} />;
  const name = () => <bdi dir={directionOf(currentLocale())}>{deviceText(device)}</bdi>;
  const button = (
    <button type="submit" className="button">
      {t("sessions.logOut")}
      <span className="sr-only"> {t.rich("sessions.which", { device: name, since })}</span>
    </button>
  );
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-5 gap-y-3 py-4">
      <div className="min-w-0 flex-1 basis-52">
        <h3 className="font-medium">
          {name()}
          {isCurrent && <span className="font-normal text-quiet">{` · ${t("sessions.current")}`}</span>}
        </h3>
        <p className="mt-1 text-sm text-quiet">
          {t.rich("sessions.times", { since, last: () => <Moment at={lastUsedAt} /> })}
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

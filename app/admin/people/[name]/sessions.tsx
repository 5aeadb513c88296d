import { deviceText } from "@/app/_components/device-text";
import { Form } from "@/app/_components/form";
import { ChoiceButton } from "@/app/_components/form-fields";
import { Moment } from "@/app/_components/time";
import { translator } from "@/lib/i18n";
import { directionOf } from "@/lib/i18n/locale";
import { currentLocale } from "@/lib/request/current-request";
import type { ListedSession } from "@/lib/sessions";
import type { ListedPerson } from "@/lib/users/people";
import { endPersonsSessions } from "./actions";

interface SessionsProps {
  person: ListedPerson;
  sessions: readonly Omit<ListedSession, "isCurrent">[];
  /** Whether they are the viewer's own. */
  isOwn: boolean;
}

/** A person's sessions, with buttons to end one or all. */
export function Sessions({ person: { username }, sessions, isOwn }: SessionsProps) {
  const t = translator("adminPeople");
  if (isOwn)
    return <p>{t.rich("person.ownSessions", { link: (chunks) => <a href="/account">{chunks}</a> })}</p>;
  if (sessions.length === 0) return <p className="text-quiet">{t("person.noSessions")}</p>;
  return (
    <Form key={sessions.length} action={endPersonsSessions.bind(null, username)}>
      <p className="mb-4 text-sm text-quiet">{t("person.sessionsHelp")}</p>
      <ul className="mb-4 divide-y divide-hairline border-y border-hairline">
        {sessions.map(({ id, device, createdAt, lastUsedAt }) => (
          <li key={id} className="flex flex-wrap items-start justify-between gap-x-5 gap-y-2 py-3">
            <div className="min-w-0 flex-1 basis-52">
              <bdi dir={directionOf(currentLocale())}>{deviceText(device)}</bdi>
              <p className="text-sm text-quiet">
                {t.rich("person.sessionTimes", {
                  begun: () => <Moment at={createdAt} />,
                  used: () => <Moment at={lastUsedAt} />,
                })}
              </p>
            </div>
            <ChoiceButton name="session" value={String(id)} pending={t("person.endingSession")}>
              {t.rich("person.endSession", {
                device: deviceText(device),
                hidden: (chunks) => <span className="sr-only">{chunks}</span>,
              })}
            </ChoiceButton>
          </li>
        ))}
      </ul>
      <ChoiceButton name="session" value="all" pending={t("person.endingSession")}>
        {t("person.endAll")}
      </ChoiceButton>
    </Form>
  );
}

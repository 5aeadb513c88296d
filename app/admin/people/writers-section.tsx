import { Form } from "@/app/_components/form";
import { ChoiceButton } from "@/app/_components/form-fields";
import { Section } from "@/app/_components/section";
import { Day } from "@/app/_components/time";
import { app } from "@/lib/app";
import { translator } from "@/lib/i18n";
import { personPath } from "@/lib/paths";
import type { User } from "@/lib/users";
import { writingRequests } from "@/lib/users/writers";
import { answerRequest } from "./writers-actions";

interface WritersSectionProps {
  user: User;
  /** The result of the last answer to a request. */
  done: string | undefined;
}

/** The people who may write, and the people who request it. */
export async function WritersSection({ user, done }: WritersSectionProps) {
  const t = translator("adminPeople");
  const context = app();
  const { requests, count } = await writingRequests(context, user);
  const { whoMayWrite } = context;
  return (
    <Section title={t("writers.title")} id="writers">
      <p className="mb-4 text-sm text-quiet">
        {t(`writers.mode.${whoMayWrite}`)} <a href="/admin/settings">{t("changeMode")}</a>
      </p>
      <p role="status" className="mb-4 border-s-2 border-water ps-3 empty:hidden">
        {doneText(done)}
      </p>
      {requests.length === 0 && whoMayWrite === "approved" && (
        <p className="text-quiet">{t("writers.none")}</p>
      )}
      {requests.length > 0 && (
        <Form key={requests.map(({ id }) => id).join()} action={answerRequest}>
          <ul className="rows centered">
            {requests.map(({ id, username, requestedAt }) => (
              <li key={id}>
                <div>
                  <a href={personPath(username)}>
                    <bdi>{username}</bdi>
                  </a>
                  <p>{t.rich("writers.requestedAt", { time: () => <Day at={requestedAt ?? 0} /> })}</p>
                </div>
                <div className="flex gap-2">
                  <ChoiceButton name="answer" value={`accept ${id}`} pending={t("writers.accepting")}>
                    {t.rich("writers.accept", { name: username, hidden })}
                  </ChoiceButton>
                  <ChoiceButton name="answer" value={`decline ${id}`} pending={t("writers.declining")}>
                    {t.rich("writers.decline", { name: username, hidden })}
                  </ChoiceButton>
                </div>
              </li>
            ))}
          </ul>
        </Form>
      )}
      {count > requests.length && (
        <p className="mt-3 text-sm text-quiet">{t("writers.shown", { shown: requests.length, count })}</p>
      )}
    </Section>
  );
}

function hidden(chunks: React.ReactNode) {
  return <span className="sr-only">{chunks}</span>;
}

function doneText(done: string | undefined): string | undefined {
  const t = translator("adminPeople");
  const texts = new Map([
    ["accepted", t("writers.accepted")],
    ["declined", t("writers.declined")],
    ["answered", t("writers.answered")],
  ]);
  return texts.get(done ?? "");
}

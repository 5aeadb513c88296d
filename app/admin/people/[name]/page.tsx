import { ForgetParameter } from "@/app/_components/forget-parameter";
import { Form } from "@/app/_components/form";
import { Field, Select, SubmitButton } from "@/app/_components/form-fields";
import { forbiddenPage, noPage, notFoundPage } from "@/app/_components/no-page";
import { OwnPasswordField } from "@/app/_components/own-password-field";
import { Section } from "@/app/_components/section";
import { Day } from "@/app/_components/time";
import { app } from "@/lib/app";
import { noticeOnce } from "@/lib/auth";
import { translator } from "@/lib/i18n";
import { personPath, textFromPath, userPath } from "@/lib/paths";
import { currentTime } from "@/lib/time/current-time";
import { type ListedPerson, personNamed, personRoles } from "@/lib/users/people";
import { AdminFrame, administratorAt } from "../../frame";
import { changePersonsRole } from "./actions";
import { Disabling } from "./disabling";
import { Sessions } from "./sessions";

export async function generateMetadata({ params }: PageProps<"/admin/people/[name]">) {
  const username = textFromPath((await params).name);
  if (username === null) return noPage();
  return { title: `${username} · ${translator("admin")("title")}`, robots: { index: false } };
}

/** One person: role, sessions, data, disabling. */
export default async function PersonPage({ params, searchParams }: PageProps<"/admin/people/[name]">) {
  const username = textFromPath((await params).name);
  const actor = await administratorAt(personPath(username ?? ""));
  if (!actor) return forbiddenPage();
  if (username === null) return notFoundPage();
  const now = currentTime();
  const found = await personNamed(app(), { actor, username, now });
  if (found.kind === "forbidden") return forbiddenPage();
  if (found.kind === "no-such-user") return notFoundPage();
  const t = translator("adminPeople");
  const { person, sessions } = found;
  const isOwn = person.id === actor.id;
  const about = `person ${person.id}`;
  const done = await noticeOnce((await searchParams).done, { about, reader: actor, now });
  return (
    <AdminFrame user={actor} page="people" title={<bdi>{person.username}</bdi>}>
      <p className="mt-2 text-quiet">
        {t(`role.${person.role}`)}
        {person.status !== "active" && ` · ${t(`status.${person.status}`)}`}
        {" · "}
        {t.rich("search.since", {
          email: () => <bdi>{person.email}</bdi>,
          time: () => <Day at={person.createdAt} />,
        })}
        {" · "}
        <a href={userPath(person.username)}>{t("person.profile")}</a>
      </p>
      <p role="status" className="mt-4 border-s-2 border-water ps-3 empty:hidden">
        {done && doneText(done)}
      </p>
      <ForgetParameter name="done" />
      <Section title={t("person.roleTitle")} id="role">
        <p className="mb-4 text-sm text-quiet">{t("person.roleHelp")}</p>
        {isOwn ? <p>{t("person.ownRole")}</p> : <RoleForm person={person} />}
      </Section>
      <Section title={t("person.sessionsTitle")} id="sessions">
        <Sessions person={person} sessions={sessions} isOwn={isOwn} />
      </Section>
      <Section title={t("person.exportTitle")} id="data">
        {isOwn ? (
          <p>{t.rich("person.ownExport", { link: (text) => <a href="/account/export">{text}</a> })}</p>
        ) : (
          <form action="/account-data.zip" className="flex max-w-lg flex-col items-start gap-5">
            <p className="text-sm text-quiet">{t("person.exportHelp")}</p>
            <input type="hidden" name="of" value={person.username} />
            <button type="submit" className="button">
              {t("person.export")}
            </button>
          </form>
        )}
      </Section>
      <Section
        title={person.status === "disabled" ? t("person.enableTitle") : t("person.disableTitle")}
        id="disable"
      >
        {isOwn ? <p>{t("person.ownDisabling")}</p> : <Disabling person={person} />}
      </Section>
    </AdminFrame>
  );
}

function RoleForm({ person: { username, role } }: { person: ListedPerson }) {
  const t = translator("adminPeople");
  return (
    <Form
      key={role}
      action={changePersonsRole.bind(null, username)}
      className="group flex max-w-md flex-col items-start gap-5"
    >
      <div className="w-full">
        <Select
          label={t("person.newRole")}
          name="role"
          options={personRoles.map((value) => ({ value, label: t(`role.${value}`) }))}
          defaultValue={role}
        />
      </div>
      <div className="w-full">
        <Field label={t("person.why")} name="why" rows={2} autoComplete="off" help={t("person.whyHelp")} />
      </div>
      <div
        className={
          // Without style sheets, and in browsers without `:has()`, it is always there.
          role === "administrator"
            ? "w-full"
            : "w-full group-not-has-[option[value=administrator]:checked]:hidden"
        }
      >
        <OwnPasswordField help={t("person.passwordHelp")} optional />
      </div>
      <SubmitButton pending={t("person.changingRole")}>{t("person.changeRole")}</SubmitButton>
    </Form>
  );
}

/** The message about the action that has just been done on this page. */
function doneText(done: string): string | undefined {
  const t = translator("adminPeople");
  if (done === "role") return t("person.roleChanged");
  if (done === "sessions") return t("person.sessionsEnded");
  const [, kind, ratings = "", posts = ""] = /^(disabled|enabled)-(\d+)-(\d+)$/.exec(done) ?? [];
  const counts = { ratings: Number(ratings), posts: Number(posts) };
  if (kind === "disabled") return t("person.disabled", { ratings: t("change.leave", counts) });
  return kind && t("person.enabled", { ratings: t("change.return", counts) });
}

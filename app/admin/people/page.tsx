import { forbiddenPage } from "@/app/_components/no-page";
import { app } from "@/lib/app";
import { noticeOnce } from "@/lib/auth";
import { translator } from "@/lib/i18n";
import { declareNoScripts } from "@/lib/request/current-request";
import { currentTime } from "@/lib/time/current-time";
import { searchPeople } from "@/lib/users/people";
import { AdminFrame, administratorAt, adminMetadata } from "../frame";
import { pendingQueryFrom } from "./pending-query";
import { PeopleList } from "./people-list";
import { peopleRequestFrom } from "./people-query";
import { RegistrationsSection } from "./registrations-section";
import { WritersSection } from "./writers-section";

export function generateMetadata() {
  return adminMetadata("people");
}

export default async function PeoplePage({ searchParams }: PageProps<"/admin/people">) {
  const user = await administratorAt("/admin/people");
  if (!user) return forbiddenPage();
  declareNoScripts();
  const now = currentTime();
  const parameters = await searchParams;
  const request = peopleRequestFrom(parameters);
  const found = await searchPeople(app(), user, request);
  if (found.kind === "forbidden") return forbiddenPage();
  const done = await noticeOnce(parameters.done, { about: "approvals", reader: user, now });
  const answered = await noticeOnce(parameters.writers, { about: "writers", reader: user, now });
  return (
    <AdminFrame user={user} page="people">
      <PeopleList request={request} {...found} />
      <p className="mt-6">
        <a href="/admin/accounts">{translator("adminPeople")("search.many")}</a>
      </p>
      <WritersSection user={user} done={answered} />
      <RegistrationsSection now={now} query={pendingQueryFrom({ ...parameters, done })} />
    </AdminFrame>
  );
}

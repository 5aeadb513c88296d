import { Form } from "@/app/_components/form";
import { ChoiceButton } from "@/app/_components/form-fields";
import { forbiddenPage } from "@/app/_components/no-page";
import { PageLinks } from "@/app/_components/page-links";
import { SearchForm } from "@/app/_components/search-form";
import { searchFrom } from "@/app/_components/search-text";
import { Day } from "@/app/_components/time";
import { app } from "@/lib/app";
import { translator } from "@/lib/i18n";
import { canSendLinks } from "@/lib/mail/settings";
import { listSubscribers } from "@/lib/mail/subscriber-list";
import { pathWith } from "@/lib/paths";
import { declareNoScripts } from "@/lib/request/current-request";
import { idFromText } from "@/lib/text/id-from-text";
import { AdminFrame, administratorAt, adminMetadata } from "../frame";
import { removeOne } from "./actions";

export function generateMetadata() {
  return adminMetadata("subscribers");
}

/** The addresses that get new posts by email. */
export default async function SubscribersPage({ searchParams }: PageProps<"/admin/subscribers">) {
  const user = await administratorAt("/admin/subscribers");
  if (!user) return forbiddenPage();
  declareNoScripts();
  const parameters = await searchParams;
  const search = searchFrom(parameters, "q");
  const after = idFromText(parameters.after);
  const context = app();
  const found = await listSubscribers(context, { actor: user, search, after });
  if (found.kind === "forbidden") return forbiddenPage();
  const { subscribers, count, next } = found;
  const t = translator("admin");
  const pagePath = (last?: number) => pathWith("/admin/subscribers", { q: search, after: last });
  return (
    <AdminFrame user={user} page="subscribers">
      <p className="mt-3 text-quiet">
        {canSendLinks(context)
          ? t("subscribers.intro")
          : t.rich("subscribers.noMail", { link: (text) => <a href="/admin/settings#mail">{text}</a> })}
      </p>
      <p className="mt-3">
        {search === undefined ? t("subscribers.count", { count }) : t("subscribers.found", { count })}{" "}
        {count === 0 && search === undefined && canSendLinks(context) && t("subscribers.how")}
        {count > 0 && search === undefined && (
          <a href="/admin/subscribers/export" download>
            {t("subscribers.export")}
          </a>
        )}
      </p>
      {(count > 0 || search !== undefined) && (
        <SearchForm
          action="/admin/subscribers"
          name="q"
          label={t("subscribers.search")}
          placeholder={t("subscribers.search")}
          value={search}
          className="my-6 block max-w-md"
        />
      )}
      {subscribers.length > 0 && (
        <Form key={subscribers.map(({ id }) => id).join()} action={removeOne}>
          <ul className="rows centered">
            {subscribers.map(({ id, email, createdAt }) => (
              <li key={id}>
                <div>
                  <bdi dir="ltr">{email}</bdi>
                  <p>{t.rich("subscribers.since", { day: () => <Day key="day" at={createdAt} /> })}</p>
                </div>
                <ChoiceButton name="subscriber" value={String(id)} pending={t("subscribers.removing")}>
                  {t.rich("subscribers.remove", {
                    email,
                    hidden: (chunks) => <span className="sr-only">{chunks}</span>,
                  })}
                </ChoiceButton>
              </li>
            ))}
          </ul>
        </Form>
      )}
      <PageLinks
        first={after === undefined ? undefined : pagePath()}
        next={next === null ? null : pagePath(next)}
        nextText={t("subscribers.more")}
      />
    </AdminFrame>
  );
}

import { PageLinks } from "@/app/_components/page-links";
import { SearchForm } from "@/app/_components/search-form";
import { Day } from "@/app/_components/time";
import { translator } from "@/lib/i18n";
import { personPath } from "@/lib/paths";
import { type ListedPerson, type PeopleKind, type PeopleRequest, peopleKinds } from "@/lib/users/people";
import { peoplePath } from "./people-query";

interface PeopleListProps {
  request: PeopleRequest;
  people: readonly ListedPerson[];
  /** The place of the next page; null on the last one. */
  next: number | null;
}

/** A page of people, with search, kinds and page links. */
export function PeopleList({ request, people, next }: PeopleListProps) {
  const t = translator("adminPeople");
  const { search, kind = "all", after } = request;
  return (
    <section aria-label={t("search.list")} className="mt-6">
      <SearchForm
        action="/admin/people"
        name="q"
        label={t("search.label")}
        placeholder={t("search.placeholder")}
        value={search}
        className="block max-w-md"
      />
      <p className="mt-2 text-sm text-quiet">{t("search.help")}</p>
      <Kinds chosen={search === undefined ? kind : undefined} />
      {people.length === 0 && (
        <p className="text-quiet">
          {search === undefined
            ? t("search.none")
            : t.rich("search.noneFound", { text: () => <bdi>{search}</bdi> })}
        </p>
      )}
      {people.length > 0 && (
        <ul className="rows">
          {people.map((person) => (
            <PersonRow key={person.id} {...person} />
          ))}
        </ul>
      )}
      <PageLinks
        label={t("search.pages")}
        first={after === undefined ? undefined : peoplePath({ search, kind })}
        next={next === null ? null : peoplePath({ search, kind, after: next })}
        nextText={t("search.more")}
      />
    </section>
  );
}

function Kinds({ chosen }: { chosen: PeopleKind | undefined }) {
  const t = translator("adminPeople");
  return (
    <nav aria-label={t("search.kinds")} className="tabs my-4">
      {peopleKinds.map((kind) => (
        <a key={kind} href={peoplePath({ kind })} aria-current={kind === chosen ? "true" : undefined}>
          {t(`search.kind.${kind}`)}
        </a>
      ))}
    </nav>
  );
}

function PersonRow({ username, email, createdAt, role, status }: ListedPerson) {
  const t = translator("adminPeople");
  return (
    <li>
      <div>
        <a href={personPath(username)}>
          <bdi>{username}</bdi>
        </a>
        <p>
          {t.rich("search.since", {
            email: () => <bdi>{email}</bdi>,
            time: () => <Day at={createdAt} />,
          })}
        </p>
      </div>
      <p className="flex gap-3 text-sm">
        {status !== "active" && <span className="text-amber">{t(`status.${status}`)}</span>}
        {role !== "reader" && <span>{t(`role.${role}`)}</span>}
      </p>
    </li>
  );
}

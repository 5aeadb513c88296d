import { idFromText } from "@/app/_components/id-from-text";
import { pathWith } from "@/lib/paths";
import { type PeopleRequest, peopleKinds } from "@/lib/users/people";

/** Reads the page's address; bad parameters are left out. */
export function peopleRequestFrom(parameters: Record<string, string | string[] | undefined>): PeopleRequest {
  const one = (name: string) => [parameters[name]].flat()[0];
  const search = one("q")?.trim();
  return {
    search: search?.isWellFormed() && search.length <= 200 ? search || undefined : undefined,
    kind: peopleKinds.find((kind) => kind === one("kind")),
    after: idFromText(one("after")),
  };
}

/** The address of a page of the list. */
export function peoplePath({ search, kind, after }: PeopleRequest): string {
  const isOfAll = search !== undefined || kind === "all";
  return pathWith("/admin/people", { q: search, kind: isOfAll ? undefined : kind, after });
}

import { parameterFrom, type QueryParameters, searchFrom } from "@/app/_components/search-text";
import { pathWith } from "@/lib/paths";
import { idFromText } from "@/lib/text/id-from-text";
import { type PeopleRequest, peopleKinds } from "@/lib/users/people";

/** Reads the page's address; bad parameters are left out. */
export function peopleRequestFrom(parameters: QueryParameters): PeopleRequest {
  return {
    search: searchFrom(parameters, "q"),
    kind: peopleKinds.find((kind) => kind === parameterFrom(parameters, "kind")),
    after: idFromText(parameterFrom(parameters, "after")),
  };
}

/** The address of a page of the list. */
export function peoplePath({ search, kind, after }: PeopleRequest): string {
  const isOfAll = search !== undefined || kind === "all";
  return pathWith("/admin/people", { q: search, kind: isOfAll ? undefined : kind, after });
}

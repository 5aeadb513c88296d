import { type PeopleRequest, peopleKinds } from "@/lib/users/people";

/** Reads the page's address; bad parameters are left out. */
export function peopleRequestFrom(parameters: Record<string, string | string[] | undefined>): PeopleRequest {
  const one = (name: string) => [parameters[name]].flat()[0];
  const search = one("q")?.trim();
  const after = one("after");
  return {
    search: search?.isWellFormed() && search.length <= 200 ? search || undefined : undefined,
    kind: peopleKinds.find((kind) => kind === one("kind")),
    after: after && /^\d{1,15}$/.test(after) ? Number(after) : undefined,
  };
}

/** The address of a page of the list. */
export function peoplePath({ search, kind, after }: PeopleRequest): string {
  const parameters = new URLSearchParams({
    ...(search !== undefined && { q: search }),
    ...(search === undefined && kind !== undefined && kind !== "all" && { kind }),
    ...(after !== undefined && { after: String(after) }),
  });
  return `/admin/people${parameters.size > 0 ? `?${parameters}` : ""}`;
}

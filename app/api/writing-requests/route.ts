import { asAdministrator, asUser, json, route } from "@/lib/api/route";
import { app } from "@/lib/app";
import { requestToWrite, writingRequestedAt, writingRequests } from "@/lib/users/writers";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  /** The people who request to write; for administrators. */
  GET: asAdministrator(async ({ user }) => {
    const { requests, count } = await writingRequests(app(), user);
    const items = requests.map(({ username, requestedAt }) => ({
      username,
      requestedAt: shown(requestedAt),
    }));
    return json({ items, count });
  }),
  /** Requests the right to write, where an administrator grants it. */
  POST: asUser("write", async ({ user, now }) => {
    await requestToWrite(app(), { user, now });
    return json({ requestedAt: shown(await writingRequestedAt(app(), user)) });
  }),
});

function shown(requestedAt: number | null): string | null {
  return requestedAt === null ? null : new Date(requestedAt).toISOString();
}

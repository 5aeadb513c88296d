import { asAdministrator, json, route } from "@/lib/api/route";
import { app } from "@/lib/app";
import { writingRequests } from "@/lib/users/writers";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  /** The people who request to write; for administrators. */
  GET: asAdministrator(async ({ user }) => {
    const { requests, count } = await writingRequests(app(), user);
    const items = requests.map(({ username, requestedAt }) => ({
      username,
      requestedAt: requestedAt === null ? null : new Date(requestedAt).toISOString(),
    }));
    return json({ items, count });
  }),
});

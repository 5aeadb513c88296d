import { archiveResponse } from "@/app/_components/archive-response";
import { exportAccountOf } from "@/lib/account-export";
import { asAdministrator, failed, failedFor, route, withUsername } from "@/lib/api/route";
import { app } from "@/lib/app";
import { zipOf } from "@/lib/archive/zip";
import { isFromOtherSite } from "@/lib/request/origin";
import { userIdOf } from "@/lib/users/people";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  /** A copy of all that the site keeps about a user; for administrators. */
  GET: asAdministrator(
    withUsername(async ({ request, username, user, address, now }) => {
      if (isFromOtherSite(request.headers)) return failed({ kind: "foreign-download" });
      if (request.method === "HEAD") {
        const isThere = (await userIdOf(app(), username)) !== undefined;
        return isThere ? archiveResponse(null, "account-data", now) : failed({ kind: "no-such-user" });
      }
      const outcome = await exportAccountOf(app(), { actor: user, username, address, now });
      return outcome.kind === "ready"
        ? archiveResponse(zipOf(outcome.files), "account-data", now)
        : failedFor(user, outcome);
    }),
  ),
});

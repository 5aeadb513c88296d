import { archiveResponse } from "@/app/_components/archive-response";
import { exportAccount, permitExport } from "@/lib/account-export";
import { notConfirmed } from "@/lib/api/confirmation";
import { failed, inSession, route, withInput } from "@/lib/api/route";
import { app } from "@/lib/app";
import { zipOf } from "@/lib/archive/zip";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  /** A copy of the user's data; needs the password again. */
  POST: inSession(
    withInput(4096, async ({ session, input, address, now }) => {
      const permitted = await permitExport(app(), { session, input, address, now });
      if (permitted.kind !== "permitted") return notConfirmed(permitted);
      const outcome = await exportAccount(app(), { session, ticket: permitted.ticket, address, now });
      // The password was changed in the meantime, which ends the session.
      if (outcome.kind === "expired") return failed({ kind: "not-logged-in" });
      return outcome.kind === "ready"
        ? archiveResponse(zipOf(outcome.files), "my-data", now)
        : failed(outcome);
    }),
  ),
});

import { notConfirmed } from "@/lib/api/confirmation";
import { inSession, noContent, route, withInput } from "@/lib/api/route";
import { app } from "@/lib/app";
import { endSession } from "@/lib/auth";
import { deleteAccount } from "@/lib/users";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  /** Deletes the account; the user sends the password again. */
  DELETE: inSession(
    withInput(4096, async ({ session, input, address, now }) => {
      const outcome = await deleteAccount(app(), { session, input, address, now });
      if (outcome.kind !== "deleted") return notConfirmed(outcome);
      await endSession();
      return noContent();
    }),
  ),
});

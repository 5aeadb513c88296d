import { failed, json, noContent, route, withInput, withoutToken } from "@/lib/api/route";
import { app } from "@/lib/app";
import { browserCookie, clientDevice, endSession, keepSession } from "@/lib/auth";
import { logIn } from "@/lib/users";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  /** Logs in. */
  POST: withoutToken(
    withInput(16_384, async ({ input, address, now }) => {
      const outcome = await logIn(app(), {
        input,
        address,
        now,
        device: await clientDevice(),
        browser: await browserCookie(),
      });
      if (outcome.kind !== "logged-in") return failed(outcome);
      await keepSession(outcome);
      return json({ username: outcome.user.username });
    }),
  ),
  /** Logs out; idempotent. */
  DELETE: withoutToken(async () => {
    await endSession();
    return noContent();
  }),
});

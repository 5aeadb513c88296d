import { failed, json, route, withInput, withoutToken } from "@/lib/api/route";
import { app } from "@/lib/app";
import { clientDevice, keepSession } from "@/lib/auth";
import { register } from "@/lib/users";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  /** Creates an account and logs in. */
  POST: withoutToken(
    withInput(16_384, async ({ input, address, now }) => {
      const outcome = await register(app(), { input, address, now, device: await clientDevice() });
      if (outcome.kind !== "registered") return failed(outcome);
      await keepSession(outcome);
      const { username, isPending } = outcome.user;
      return json({ username, ...(isPending && { awaitsApproval: true }) }, { status: 201 });
    }),
  ),
});

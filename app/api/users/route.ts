import { failed, json, route, withInput, withoutToken } from "@/lib/api/route";
import { app } from "@/lib/app";
import { clientDevice, keepSession } from "@/lib/auth";
import { register } from "@/lib/users";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  /** Creates an account and logs in, or mails the link that creates it. */
  POST: withoutToken(
    withInput(16_384, async ({ input, address, now }) => {
      const outcome = await register(app(), { input, address, now, device: await clientDevice() });
      if (outcome.kind === "confirmation-sent") return json({ confirmationSent: true }, { status: 202 });
      if (outcome.kind !== "registered") return failed(outcome);
      await keepSession(outcome);
      const { username, isPending, mustConfirmEmail } = outcome.user;
      const answer = {
        username,
        ...(isPending && { awaitsApproval: true }),
        ...(mustConfirmEmail && { mustConfirmEmail: true }),
      };
      return json(answer, { status: 201 });
    }),
  ),
});

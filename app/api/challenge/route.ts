import { json, route, withoutToken } from "@/lib/api/route";
import { app } from "@/lib/app";
import { registrationChallenge } from "@/lib/users";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  /** Issues a challenge for a registration. */
  GET: withoutToken(async ({ now }) => json({ challenge: await registrationChallenge(app(), now) })),
});

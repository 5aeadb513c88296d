import { shownProfile } from "@/lib/api/people";
import { asViewer, failed, json, route, withUsername } from "@/lib/api/route";
import { app } from "@/lib/app";
import { profileOf } from "@/lib/users";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  /** A user's public profile. */
  GET: withUsername(
    asViewer("read", async ({ username }) => {
      const profile = await profileOf(app(), username);
      return profile ? json(shownProfile(profile)) : failed({ kind: "no-such-user" });
    }),
  ),
});

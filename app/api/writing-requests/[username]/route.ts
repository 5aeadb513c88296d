import { writingAnswerSchema } from "@/lib/api/administration";
import { asAdministrator, failed, failedFor, json, route, withInput, withUsername } from "@/lib/api/route";
import { app } from "@/lib/app";
import { userIdOf } from "@/lib/users/people";
import { answerWritingRequest } from "@/lib/users/writers";
import { validate } from "@/lib/validation";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  /** Accepts or declines a request to write; for administrators. */
  POST: asAdministrator(
    withInput(
      4096,
      withUsername(async ({ username, user, input, now }) => {
        const checked = validate(writingAnswerSchema, input);
        if (!checked.ok) return failed({ kind: "invalid", errors: checked.errors });
        const { accept } = checked.value;
        const id = await userIdOf(app(), username);
        if (id === undefined) return failed({ kind: "no-such-user" });
        const outcome = await answerWritingRequest(app(), { actor: user, id, accept, now });
        if (outcome.kind === "forbidden") return failedFor(user, outcome);
        return outcome.answered ? json({ username, accepted: accept }) : failed({ kind: "nothing-there" });
      }),
    ),
  ),
});

/** The failures of calls that need the password of the account again. */
import { translator } from "../i18n/index.ts";
import type { NotConfirmed } from "../second-factor/index.ts";
import { failed } from "./route.ts";

/**
 * The answer to a call without the right password.
 * Also to one whose session has ended.
 */
export function notConfirmed(outcome: NotConfirmed): Response {
  switch (outcome.kind) {
    case "wrong": {
      const currentPassword = [translator("account")("confirmation.wrong")];
      return failed({ kind: "invalid", errors: { currentPassword } });
    }
    case "session-ended":
      return failed({ kind: "not-logged-in" });
    default:
      return failed(outcome);
  }
}

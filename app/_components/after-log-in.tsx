import { translator } from "@/lib/i18n";
import { keptStars } from "./chosen-stars";

interface AfterLogInProps {
  /** Where the log-in leads. */
  path: string;
  /** Whether the account is about to be made. */
  isNew?: boolean;
  /** Whether the account may rate at once. */
  mayRate?: boolean;
}

/** The fate of the chosen stars, or where the log-in or registration leads. */
export async function AfterLogIn({ path, isNew = false, mayRate = true }: AfterLogInProps) {
  const count = await keptStars(path);
  const key = !mayRate ? "notKept" : isNew ? "keptForAccount" : "keptChoice";
  if (count !== null) return <p className="mt-4">{translator("rating")(key, { count })}</p>;
  return path === "/" ? null : <p className="mt-3 text-quiet">{translator("logIn")("returns")}</p>;
}

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

/** On a page to log in or register: the stars that this saves, or where it leads. */
export async function AfterLogIn({ path, isNew = false, mayRate = true }: AfterLogInProps) {
  const count = mayRate ? await keptStars(path) : null;
  if (count !== null)
    return <p className="mt-4">{translator("rating")(isNew ? "keptForAccount" : "keptChoice", { count })}</p>;
  return path === "/" ? null : <p className="mt-3 text-quiet">{translator("logIn")("returns")}</p>;
}

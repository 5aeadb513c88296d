import { translator } from "@/lib/i18n";
import { keptStars } from "./chosen-stars";

/** On a page to log in or register: the stars that doing so saves. */
export async function KeptChoice({ path }: { path: string }) {
  const count = await keptStars(path);
  if (count === null) return null;
  return <p className="mt-4">{translator("rating")("keptChoice", { count })}</p>;
}

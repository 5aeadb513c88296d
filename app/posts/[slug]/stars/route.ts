/** Keeps a visitor's choice of stars, and leads to the log-in, which saves it. */
import { chosenPath, chosenStars, keepChosenStars } from "@/app/_components/chosen-stars";
import { getUser } from "@/lib/auth";
import { plainText } from "@/lib/http/plain-text";
import { translator } from "@/lib/i18n";
import { logInPath, postPath, textFromPath } from "@/lib/paths";

export async function POST(
  request: Request,
  { params }: RouteContext<"/posts/[slug]/stars">,
): Promise<Response> {
  const slug = textFromPath((await params).slug);
  if (slug === null) return plainText(404, translator("problems")("noPost"));
  const form = await request.formData().catch(() => new FormData());
  const score = chosenStars(form.get("score"));
  if (score === null) return leadTo(postPath(slug));
  const path = chosenPath(slug, score);
  // Logged in meanwhile, in another tab: there the choice is preselected.
  if (await getUser()) return leadTo(path);
  await keepChosenStars(path);
  return leadTo(logInPath(path));
}

function leadTo(path: string): Response {
  return new Response(null, { status: 303, headers: { Location: path } });
}

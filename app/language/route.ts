/**
 * Keeps the reader's choice of a language, and returns to the page with the form.
 * The form is in each page's footer.
 */
import { isLocale, localeCookie } from "@/lib/i18n/locale";
import { keepChoice } from "../_components/keep-choice";

export async function POST(request: Request): Promise<Response> {
  const form = await request.formData().catch(() => new FormData());
  const chosen = form.get("language");
  if (!isLocale(chosen)) return new Response("There is no such language.\n", { status: 422 });
  return keepChoice(request, localeCookie, chosen);
}

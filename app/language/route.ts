/**
 * Keeps the reader's choice of a language, and returns to the page with the form.
 * The form is in each page's footer.
 */
import { plainText } from "@/lib/http/plain-text";
import { translator } from "@/lib/i18n";
import { localeCookie } from "@/lib/i18n/locale";
import { siteLocales } from "@/lib/site";
import { keepChoice } from "../_components/keep-choice";

export async function POST(request: Request): Promise<Response> {
  const form = await request.formData().catch(() => new FormData());
  const chosen = siteLocales().find((locale) => locale === form.get("language"));
  if (!chosen) return plainText(422, translator("problems")("noLanguage"));
  return keepChoice(request, localeCookie, chosen);
}

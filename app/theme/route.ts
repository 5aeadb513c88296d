/** Keeps the reader's choice of colours, sent by the form in each page's footer. */
import { plainText } from "@/lib/http/plain-text";
import { translator } from "@/lib/i18n";
import { isTheme, themeCookie } from "@/lib/theme";
import { keepChoice } from "../_components/keep-choice";

export async function POST(request: Request): Promise<Response> {
  const form = await request.formData().catch(() => new FormData());
  const chosen = form.get("theme");
  if (chosen === "device") return keepChoice(request, themeCookie, null);
  if (!isTheme(chosen)) return plainText(422, translator("problems")("noTheme"));
  return keepChoice(request, themeCookie, chosen);
}

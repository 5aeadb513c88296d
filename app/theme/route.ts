/** Keeps the reader's choice of colours, sent by the form in each page's footer. */
import { isTheme, themeCookie } from "@/lib/theme";
import { keepChoice } from "../_components/keep-choice";

export async function POST(request: Request): Promise<Response> {
  const form = await request.formData().catch(() => new FormData());
  const chosen = form.get("theme");
  if (chosen === "device") return keepChoice(request, themeCookie, null);
  if (!isTheme(chosen)) return new Response("There is no such theme.\n", { status: 422 });
  return keepChoice(request, themeCookie, chosen);
}

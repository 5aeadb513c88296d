import { translator } from "@/lib/i18n";
import { type Theme, themes } from "@/lib/theme";

/** The other themes as buttons. A plain form, which needs no script. */
export function ThemeForm({ theme }: { theme: Theme | undefined }) {
  const t = translator("layout");
  const choices = [...themes, "device"] as const;
  return (
    <form method="post" action="/theme" aria-label={t("theme.name")} className="flex gap-4">
      {choices
        .filter((choice) => choice !== (theme ?? "device"))
        .map((choice) => (
          <button key={choice} type="submit" name="theme" value={choice} className="link-button">
            {t(`theme.${choice}`)}
          </button>
        ))}
    </form>
  );
}

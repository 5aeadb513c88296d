"use client";

import { directionOf, type Locale, locales } from "@/lib/i18n/locale";
import { failure as english } from "@/lib/i18n/messages/en/failure";
import { failure as persian } from "@/lib/i18n/messages/fa/failure";

const texts: Record<Locale, { title: string; help: string }> = { en: english, fa: persian };

/**
 * Shown when the root layout fails; has its own frame, with few styles.
 * The layout names the language, so this has all.
 */
export default function GlobalError() {
  return (
    <html lang="en">
      <body>
        {locales.map((locale) => (
          <section key={locale} lang={locale} dir={directionOf(locale)} style={{ margin: "2rem" }}>
            <h1>{texts[locale].title}</h1>
            <p>{texts[locale].help}</p>
          </section>
        ))}
      </body>
    </html>
  );
}

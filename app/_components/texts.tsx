"use client";

/**
 * The texts that components in the browser show.
 * The layout provides them in the page's language.
 */
import { createContext, use } from "react";
import type { Locale } from "@/lib/i18n/locale";
import type { client } from "@/lib/i18n/messages/en/client";
import type { Translation } from "@/lib/i18n/messages/translation";

export interface ClientTexts extends Translation<typeof client> {
  readonly locale: Locale;
}

const TextsContext = createContext<ClientTexts | null>(null);

export function TextsProvider({ texts, children }: { texts: ClientTexts; children: React.ReactNode }) {
  return <TextsContext value={texts}>{children}</TextsContext>;
}

export function useTexts(): ClientTexts {
  const texts = use(TextsContext);
  if (!texts) throw new Error("useTexts needs a TextsProvider above it");
  return texts;
}

/** A text with its `{name}` placeholders replaced. */
export function fill(text: string, values: Record<string, string>): string {
  return text.replace(/\{(\w+)\}/g, (placeholder, name) => values[name] ?? placeholder);
}

import type { Metadata } from "next";
import { forbidden, notFound } from "next/navigation";
import Forbidden from "@/app/forbidden";
import NotFound from "@/app/not-found";
import { translator } from "@/lib/i18n";
import { setStatus, unsavedTexts } from "@/lib/request/current-request";
import { SessionEnded } from "./session-ended";

/** Metadata of a missing page. */
export function noPage(): Metadata {
  return { title: translator("errors")("notFoundTab"), robots: { index: false } };
}

/** A page's result for 404, readable without JavaScript. */
export function notFoundPage() {
  return setStatus(404) ? <NotFound /> : notFound();
}

/**
 * A page's result for 403, readable without JavaScript.
 * For a form that was sent after the session had ended, a page that can send it again.
 */
export function forbiddenPage() {
  const texts = unsavedTexts();
  if (texts) return <SessionEnded texts={Object.values(texts)} />;
  return setStatus(403) ? <Forbidden /> : forbidden();
}

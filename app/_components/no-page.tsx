import type { Metadata } from "next";
import { forbidden, notFound } from "next/navigation";
import Forbidden from "@/app/forbidden";
import NotFound from "@/app/not-found";
import { translator } from "@/lib/i18n";
import { declareNoScripts, setStatus, unsavedTexts } from "@/lib/request/current-request";
import { SessionEnded } from "./session-ended";

/** Metadata of a missing page. */
export function noPage(): Metadata {
  return { title: translator("errors")("notFoundTab"), robots: { index: false } };
}

/** A page's result for 404, readable without JavaScript. */
export function notFoundPage() {
  return isRendered(404) ? <NotFound /> : notFound();
}

/**
 * A page's result for 403, readable without JavaScript.
 * For a form that was sent after the session had ended, a page that can send it again.
 */
export function forbiddenPage() {
  const texts = unsavedTexts();
  if (texts) return <SessionEnded texts={Object.values(texts)} />;
  return isRendered(403) ? <Forbidden /> : forbidden();
}

/** Sets the status of a page of words alone; false when it is too late for that. */
function isRendered(status: number): boolean {
  if (!setStatus(status)) return false;
  declareNoScripts();
  return true;
}

import type { Metadata } from "next";
import { forbidden, notFound } from "next/navigation";
import Forbidden from "@/app/forbidden";
import NotFound from "@/app/not-found";
import { translator } from "@/lib/i18n";
import { declareNoScripts, setStatus, unsavedForm } from "@/lib/request/current-request";
import { NotAllowed, SessionEnded } from "./unsaved-form";

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
 * For a form that was sent after the session had ended, a page that can send it again. For one that its user may not
 * send, a page that has its texts.
 */
export function forbiddenPage() {
  const unsaved = unsavedForm();
  // Of the settings, a hidden field has the values that the form was shown with.
  const texts = Object.entries(unsaved?.texts ?? {}).flatMap(([name, text]) =>
    name === "shown" ? [] : [text],
  );
  if (unsaved?.cause === "session-ended") return <SessionEnded texts={texts} />;
  if (!isRendered(403)) return forbidden();
  return unsaved ? <NotAllowed texts={texts} /> : <Forbidden />;
}

/** Sets the status of a page of words alone; false when it is too late for that. */
function isRendered(status: number): boolean {
  if (!setStatus(status)) return false;
  declareNoScripts();
  return true;
}

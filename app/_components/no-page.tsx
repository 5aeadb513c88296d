import type { Metadata } from "next";
import { forbidden, notFound } from "next/navigation";
import Forbidden from "@/app/forbidden";
import NotFound from "@/app/not-found";
import { translator } from "@/lib/i18n";
import { setStatus } from "@/lib/request/current-request";

/** Metadata of a missing page. */
export function noPage(): Metadata {
  return { title: translator("errors")("notFoundTab"), robots: { index: false } };
}

/** A page's result for 404, readable without JavaScript. */
export function notFoundPage() {
  return setStatus(404) ? <NotFound /> : notFound();
}

/** A page's result for 403, readable without JavaScript. */
export function forbiddenPage() {
  return setStatus(403) ? <Forbidden /> : forbidden();
}

import type { Metadata } from "next";
import { forbidden, notFound } from "next/navigation";
import Forbidden from "@/app/forbidden";
import NotFound from "@/app/not-found";
import { setStatus } from "@/lib/http/current-request";

/** The metadata of a page that there is not. */
export const noPage: Metadata = { title: "No such page", robots: { index: false } };

/** What a page returns when there is no such page: the words, readable without JavaScript, and a 404. */
export function notFoundPage() {
  return setStatus(404) ? <NotFound /> : notFound();
}

/** What a page returns to somebody whom it is not for: the words, readable without JavaScript, and a 403. */
export function forbiddenPage() {
  return setStatus(403) ? <Forbidden /> : forbidden();
}

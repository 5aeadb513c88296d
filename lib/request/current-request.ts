/**
 * The request being handled: its id, client address, choices and response.
 *
 * Next.js gives pages, actions and routes neither the socket nor the response. The server (`server/`) runs each request
 * inside this `AsyncLocalStorage`; no header carries any of it, so no client can forge it.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type { ServerResponse } from "node:http";
import type { ReactNode } from "react";
import type { Locale } from "../i18n/locale.ts";
import type { Theme } from "../theme.ts";

/** A post that the page to answer with shows; nothing has saved it. */
interface RequestedPreview {
  title: string;
  author: string;
  publishedAt: number | null;
  tags: readonly string[];
  cover: { address: string; alt: string } | null;
  content: string;
  html: string;
  lang: string | null;
}

/** A form that changed nothing, and its texts. */
export interface UnsavedForm {
  cause: "session-ended" | "forbidden";
  texts: Record<string, string>;
}

export interface CurrentRequest {
  readonly id: string;
  /** The client's address, as limits count it. */
  readonly clientAddress: string;
  /** The language of the page to answer with. */
  readonly locale: Locale;
  /** The colours of that page; undefined to follow the device. */
  readonly theme?: Theme | undefined;
  /** Its target: path and query, as sent. */
  readonly target?: string | undefined;
  readonly response: ServerResponse;
  /** The nonce of the scripts of the page to answer with. */
  nonce?: string;
  /**
   * Whether the page has nothing to hydrate.
   * The server then leaves the framework's scripts out.
   */
  hasNoScripts?: boolean;
  unsavedForm?: UnsavedForm;
  /** The text of a form that was sent for its preview. */
  preview?: RequestedPreview;
  /** The result of a form's action. */
  formResult?: ReactNode;
}

/** The framework's headers of requests by script: of a form, and of a page. */
const scriptHeaders = ["next-action", "rsc"];

// On the global object: the build bundles copies of this module, and the server loads it as it is.
const shared: { weirCurrentRequest?: AsyncLocalStorage<CurrentRequest> } & typeof globalThis = globalThis;
shared.weirCurrentRequest ??= new AsyncLocalStorage();
const storage = shared.weirCurrentRequest;

/** Runs `work`, and everything it starts, as the handling of `request`. */
export function runWithRequest<T>(request: CurrentRequest, work: () => T): T {
  return storage.run(request, work);
}

/** The id of the request being handled; undefined outside of one. */
export function requestId(): string | undefined {
  return storage.getStore()?.id;
}

/** The address under which limits count all requests of unknown origin. */
export const unknownAddress = "unknown";

/** The client's address, as limits count it. */
export function clientAddress(): string {
  return storage.getStore()?.clientAddress ?? unknownAddress;
}

let localeOutsideRequests: Locale = "en";

/** The language of the request's answer; English outside of a request, unless set. */
export function currentLocale(): Locale {
  return storage.getStore()?.locale ?? localeOutsideRequests;
}

/** Sets the language of a process that works for one person. */
export function setLocaleOutsideRequests(locale: Locale): void {
  localeOutsideRequests = locale;
}

/**
 * Runs `work` in the language of the request, but without the rest of it.
 * For results that requests share.
 */
export function outsideRequest<T>(work: () => T): T {
  const locale = currentLocale();
  const before = localeOutsideRequests;
  return storage.exit(() => {
    localeOutsideRequests = locale;
    try {
      return work();
    } finally {
      localeOutsideRequests = before;
    }
  });
}

/** The colours of the request's page; undefined to follow the device. */
export function currentTheme(): Theme | undefined {
  return storage.getStore()?.theme;
}

/** The path and query of the request being handled. */
export function requestTarget(): string {
  const current = storage.getStore();
  return current?.target ?? current?.response.req.url ?? "/";
}

/**
 * Whether the request being handled is a POST.
 * A page is rendered for one when a form is sent without JavaScript.
 */
export function isPost(): boolean {
  return storage.getStore()?.response.req.method === "POST";
}

/**
 * Whether a script of the site's pages sent the request.
 * The browser itself requests whole pages. The framework takes `rsc` out of the parsed headers.
 */
export function isFromScript(): boolean {
  const { rawHeaders = [] } = storage.getStore()?.response.req ?? {};
  return rawHeaders.some((name, index) => index % 2 === 0 && scriptHeaders.includes(name.toLowerCase()));
}

/**
 * The response to the request being handled.
 * Undefined outside of one, or once its head is sent.
 */
export function unsentResponse(): ServerResponse | undefined {
  const response = storage.getStore()?.response;
  return response?.headersSent ? undefined : response;
}

/**
 * Sets the status of the page being rendered; false when it is too late for that.
 *
 * The framework's `notFound()` and `forbidden()` set the status too, but send an empty page that only a script can
 * fill. A page that has nothing to show renders its own words instead, readable without JavaScript.
 */
export function setStatus(status: number): boolean {
  const response = unsentResponse();
  if (response) response.statusCode = status;
  return response !== undefined;
}

/** Declares that the page being rendered has nothing to hydrate. */
export function declareNoScripts(): void {
  const request = storage.getStore();
  if (request) request.hasNoScripts = true;
}

/**
 * Notes that the form being handled changed nothing.
 * For a page that cannot show it again.
 */
export function keepUnsavedForm(form: UnsavedForm): void {
  const request = storage.getStore();
  if (request) request.unsavedForm = form;
}

/** The form being handled, when its user is logged out or may not send it. */
export function unsavedForm(): UnsavedForm | undefined {
  return storage.getStore()?.unsavedForm;
}

/** Whether the user may not send the form being handled. */
export function isFormForbidden(): boolean {
  return unsavedForm()?.cause === "forbidden";
}

/**
 * Gives the page to answer with a preview.
 * Not in the form's state, which the browser sends back with the next form.
 */
export function setRequestedPreview(preview: RequestedPreview): void {
  const request = storage.getStore();
  if (request) request.preview = preview;
}

/** The preview that the form being handled was sent for, if any. */
export function requestedPreview(): RequestedPreview | undefined {
  return storage.getStore()?.preview;
}

/**
 * Gives the result of a form's action to the page that answers.
 * Not in the form's state, as elements cannot be sent back with the next form.
 */
export function setFormResult(result: ReactNode): void {
  const request = storage.getStore();
  if (request) request.formResult = result;
}

/** The result of the action of the form being handled, if any. */
export function formResult(): ReactNode {
  return storage.getStore()?.formResult;
}

/** The nonce of the scripts of the page to answer with; empty outside of a request. */
export function scriptNonce(): string {
  return storage.getStore()?.nonce ?? "";
}

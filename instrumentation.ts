/**
 * The hooks of Next.js:
 * at its start, and for every error that the app does not handle.
 */
import type { Instrumentation } from "next";

export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const [{ startApp }, { reportAppStart }] = await Promise.all([
    import("./server/start-app.ts"),
    import("./server/lifecycle.ts"),
  ]);
  const start = startApp();
  reportAppStart(start);
  await start;
}

/**
 * Replaces the answers to some errors, and logs the others.
 * An outage of the database is a 503, an unreadable form a 400. Other errors are logged with their route, without the
 * query.
 */
export const onRequestError: Instrumentation.onRequestError = async (error, request, context) => {
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const [
    { log, wasOnConsole },
    { isUnavailable },
    { answerOutage },
    { answerUnreadableForm, isMultipartPost },
  ] = await Promise.all([
    import("./lib/logging/log.ts"),
    import("./db/index.ts"),
    import("./lib/request/database-outage.ts"),
    import("./lib/request/unreadable-form.ts"),
  ]);
  if (isUnavailable(error) && answerOutage(error)) return;
  const { routePath, routeType } = context;
  const err = wasOnConsole(error) ? undefined : error;
  const where = { method: request.method, path: request.path.split("?")[0], routePath, routeType };
  // An action of a form without JavaScript belongs to rendering the page; no other rendering begins with a form.
  const isForm = routeType === "action" || (routeType === "render" && isMultipartPost(request));
  if (isForm && answerUnreadableForm(error)) {
    log.warn({ err, ...where }, "a form could not be read");
    return;
  }
  log.error({ err, ...where }, "a request has failed");
};

/**
 * The service has not answered, or could not do what it was asked; the message says why and what to do. What was asked may have been counted
 * all the same when no answer came in time.
 */
export class LimiterServiceError extends Error {
  override name = "LimiterServiceError";
}

/**
 * The service has not answered, or could not execute the request.
 * The message gives the reason and the remedy. The request may have been counted all the same when no answer came in
 * time.
 */
export class LimiterServiceError extends Error {
  override name = "LimiterServiceError";
}

/** The security headers of every answer. */
import type { ServerResponse } from "node:http";

const oneYearSeconds = 31_536_000;

/** For answers that are not pages: they load nothing and are shown inside nothing. */
const nothingPolicy = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The headers of every answer. */
export const securityHeaders = {
  "Content-Security-Policy": nothingPolicy,
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  "Referrer-Policy": "same-origin",
  "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
};
const always = Object.entries(securityHeaders);

/**
 * Sets the headers of every answer, of any kind.
 * Pages replace the policy by `pagePolicy`.
 */
export function setSecurityHeaders(response: ServerResponse, isHttps: boolean): void {
  for (const [name, value] of always) response.setHeader(name, value);
  if (isHttps) response.setHeader("Strict-Transport-Security", `max-age=${oneYearSeconds}`);
}

/**
 * A page's Content-Security-Policy.
 * It allows only scripts and styles with this nonce, and those that such scripts load.
 */
export function pagePolicy({
  nonce,
  isHttps,
  isDevelopment,
}: {
  nonce: string;
  isHttps: boolean;
  isDevelopment: boolean;
}): string {
  return [
    "default-src 'self'",
    // The development server compiles with eval and puts its overlay's styles inline.
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${isDevelopment ? " 'unsafe-eval'" : ""}`,
    `style-src 'self' ${isDevelopment ? "'unsafe-inline'" : `'nonce-${nonce}'`}`,
    // Posts may show pictures from elsewhere.
    "img-src 'self' data: https:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    ...(isHttps ? ["upgrade-insecure-requests"] : []),
  ].join("; ");
}

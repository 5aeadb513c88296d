/** Descriptions of browsers and programs that log in, for their users. */
import Bowser from "bowser";

export const unknownDevice = "Unknown device";

/** Longer user agents are cut: their expressions take more than linear time. */
const userAgentMaximum = 400;
const descriptionMaximum = 60;

/** A `User-Agent` as "Firefox on Linux", or the name of a program. */
export function describeDevice(userAgent: string | null | undefined): string {
  const known = userAgent?.slice(0, userAgentMaximum).trim();
  if (!known) return unknownDevice;
  const { browser, os } = Bowser.parse(known);
  const program = browser.name || /^[\w.-]+/.exec(known)?.[0] || unknownDevice;
  return (os.name ? `${program} on ${os.name}` : program).slice(0, descriptionMaximum);
}

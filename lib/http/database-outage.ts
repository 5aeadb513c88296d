/** What is answered while the database cannot be used: that it cannot, to programs and people alike. */
import { throttledLog } from "../throttled-log.ts";
import { answerInstead } from "./current-response.ts";
import { bareProblem, type Problem } from "./problem.ts";

const outage: Problem = {
  status: 503,
  detail:
    "The server cannot reach its database just now. Try again in a few seconds; what you sent may not have been saved.",
  headers: { "Retry-After": "5" },
};

const page = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Not available just now · Weir</title></head>
<body><h1>Not available just now.</h1><p>${outage.detail}</p></body>
</html>
`;

const report = throttledLog("the database cannot be used");

/** The problem that an API call is told of, in which this error came up; the log is told too, now and then. */
export function databaseOutage(error: unknown): Problem {
  report(error);
  return outage;
}

/**
 * Has the request that is being answered say so in place of what the framework makes of the error, which is a server error
 * without words for whoever reads without JavaScript. False when an answer has begun.
 */
export function answerOutage(error: unknown): boolean {
  return answerInstead(({ url = "/", headers }) => {
    report(error);
    const plain = bareProblem(url, outage);
    const wantsPage = headers.accept?.includes("text/html") === true;
    const answer = wantsPage
      ? { headers: { ...plain.headers, "Content-Type": "text/html; charset=utf-8" }, body: page }
      : plain;
    return { status: outage.status, ...answer };
  });
}

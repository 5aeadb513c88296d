"use client";

/** Shown when the root layout fails; has its own frame, without styles. */
export default function GlobalError() {
  return (
    <html lang="en">
      <body>
        <h1>Something went wrong here.</h1>
        <p>
          The site could not show this page. Try again in a moment. The site’s operator finds the cause in the
          server’s log.
        </p>
      </body>
    </html>
  );
}

"use client";

/** Shown when the root layout fails; has its own frame, without styles. */
export default function GlobalError() {
  return (
    <html lang="en">
      <body>
        <h1>Something went wrong here.</h1>
        <p>It is written in the server’s log. Try again in a moment.</p>
      </body>
    </html>
  );
}

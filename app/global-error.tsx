"use client";

/** When not even the frame around the pages can be shown. It brings its own, without styles. */
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

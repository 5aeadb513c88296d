"use client";

export default function ErrorPage({ reset }: { reset: () => void }) {
  return (
    <div className="py-8">
      <h1 className="page-title">Something went wrong here.</h1>
      <p className="mt-4 mb-6 text-quiet">
        The site could not show this page. Check whether your last change was saved before you send it again.
        The site’s operator finds the cause in the server’s log.
      </p>
      <button type="button" className="button" onClick={reset}>
        Try again
      </button>
    </div>
  );
}

"use client";

export default function ErrorPage({ reset }: { reset: () => void }) {
  return (
    <div className="py-8">
      <h1 className="page-title">Something went wrong here.</h1>
      <p className="mt-4 mb-6 text-quiet">
        It is written in the server’s log. Nothing that was not confirmed has been saved.
      </p>
      <button type="button" className="button" onClick={reset}>
        Try again
      </button>
    </div>
  );
}

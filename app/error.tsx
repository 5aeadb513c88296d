"use client";

import { useTexts } from "./_components/texts";

/** The page of a part that failed; `retry` requests it from the server again. */
export default function ErrorPage({ retry }: { retry: () => void }) {
  const texts = useTexts();
  return (
    <div className="py-8">
      <h1 className="page-title">{texts.pageFailed.title}</h1>
      <p className="mt-4 mb-6 text-quiet">{texts.pageFailed.help}</p>
      <button type="button" className="button" onClick={retry}>
        {texts.pageFailed.tryAgain}
      </button>
    </div>
  );
}

"use client";

import { useTexts } from "./_components/texts";

export default function ErrorPage({ reset }: { reset: () => void }) {
  const texts = useTexts();
  return (
    <div className="py-8">
      <h1 className="page-title">{texts.pageFailed.title}</h1>
      <p className="mt-4 mb-6 text-quiet">{texts.pageFailed.help}</p>
      <button type="button" className="button" onClick={reset}>
        {texts.pageFailed.tryAgain}
      </button>
    </div>
  );
}

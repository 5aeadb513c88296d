import { starPath } from "@/lib/ratings/score/star-shape";

/** A choice of stars: a star, or the zero that stands before them. */
export function StarFace({ score, zero }: { score: number; zero: string }) {
  if (score === 0) return <span aria-hidden="true">{zero}</span>;
  return (
    <svg viewBox="0 0 24 24" className="size-8" aria-hidden="true">
      <path d={starPath} stroke="currentColor" strokeWidth="1.3" strokeLinejoin="round" />
    </svg>
  );
}

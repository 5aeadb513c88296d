import { filledWidth, starPath } from "@/lib/ratings/score/star-shape";

/** Five stars filled up to the average; decorative. */
export function Stars({ average }: { average: number }) {
  return (
    <span className="fill-current">
      <StarShapes />
      <StarsOfList stars={average} className="h-5 w-25 rtl:-scale-x-100" />
    </span>
  );
}

/** The stars of a list, drawn once for all its `StarsOfList`. */
export function StarShapes() {
  const stars = [0, 1, 2, 3, 4].map((star) => <use key={star} href="#star" x={star * 24} />);
  return (
    <svg width="0" height="0" className="absolute" aria-hidden="true">
      <defs>
        <path id="star" d={starPath} />
      </defs>
      <clipPath id="stars-all">{stars}</clipPath>
      <g id="stars-outline" fill="none" stroke="currentColor" strokeWidth="1.4" strokeLinejoin="round">
        {stars}
      </g>
    </svg>
  );
}

/** As `Stars`, within a list that begins with `StarShapes`. */
export function StarsOfList({ stars, className }: { stars: number; className?: string }) {
  return (
    <svg viewBox="0 0 120 24" className={className} aria-hidden="true">
      <use href="#stars-outline" />
      <rect width={Math.round(filledWidth(stars))} height="24" clipPath="url(#stars-all)" />
    </svg>
  );
}

/** The outline of a star, 24 units wide and high, as an SVG path. */
export const starPath =
  "M12 2.8l2.84 5.76 6.36.92-4.6 4.48 1.09 6.33L12 17.3l-5.69 2.99 1.09-6.33-4.6-4.48 6.36-.92z";

/**
 * How much of five stars in a row is filled, in units.
 * A star's fraction refers to its shape without margins.
 */
export function filledWidth(stars: number): number {
  const whole = Math.floor(stars);
  return whole * 24 + (stars > whole ? 2.8 + (stars - whole) * 18.4 : 0);
}

/** Contrast of colours by WCAG 2.2, and the site's own backgrounds. */

import type { Theme } from "../theme.ts";

/** Red, green and blue from 0 to 255. */
type Rgb = readonly [number, number, number];

/** The themes' backgrounds, as app/globals.css has them (`--color-paper`). */
export const backgrounds = { light: "#fbfaf7", dark: "#13181d" } as const;
/** Those of code, which is coloured, too (`--color-tint`). */
export const codeBackgrounds = { light: "#f3f0e9", dark: "#1a2128" } as const;

/** The contrast that text needs (success criterion 1.4.3, level AA). */
export const textContrast = 4.5;

const black: Rgb = [0, 0, 0];
const white: Rgb = [255, 255, 255];

/** The contrast ratio of two colours such as "#1d5f8c": from 1 to 21. */
export function contrastOf(one: string, other: string): number {
  return contrast(rgbFrom(one), rgbFrom(other));
}

/** The lowest contrast of a colour to the backgrounds of a theme. */
export function contrastIn(theme: Theme, colour: string): number {
  return Math.min(contrastOf(colour, backgrounds[theme]), contrastOf(colour, codeBackgrounds[theme]));
}

/**
 * The readable colour nearest to a colour that is not, in a theme.
 * The colour mixed with black in the light theme, with white in the dark one.
 */
export function readableColour(theme: Theme, colour: string): string {
  const goal = theme === "light" ? black : white;
  const from = rgbFrom(colour);
  for (let percent = 0; percent < 100; percent += 1) {
    const mixed = hex(mix(from, goal, percent / 100));
    if (contrastIn(theme, mixed) >= textContrast) return mixed;
  }
  return hex(goal);
}

function rgbFrom(colour: string): Rgb {
  const value = Number.parseInt(colour.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

function hex(colour: Rgb): string {
  return `#${colour.map((channel) => channel.toString(16).padStart(2, "0")).join("")}`;
}

function mix([red, green, blue]: Rgb, goal: Rgb, share: number): Rgb {
  const part = (from: number, to: number) => Math.round(from + (to - from) * share);
  return [part(red, goal[0]), part(green, goal[1]), part(blue, goal[2])];
}

function contrast(one: Rgb, other: Rgb): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** The relative luminance by WCAG 2.2, from 0 to 1. */
function luminance([red, green, blue]: Rgb): number {
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

function linear(channel: number): number {
  const share = channel / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}

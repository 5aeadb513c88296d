/**
 * Simulated ratings: organic traffic, and organised crowds.
 * The same random numbers give the same ratings.
 */
import type { DecidedStatus } from "../../lib/ratings/floods/flood-window.ts";
import { type Score, scores } from "../../lib/ratings/score/score.ts";
import type { Seen } from "./public-score.ts";

export type Random = () => number;

export const minute = 60_000;
export const hour = 60 * minute;
export const day = 24 * hour;

/** When the posts of all campaigns are published. */
export const published = Date.UTC(2026, 2, 1, 9);

export interface Rating {
  at: number;
  userId: number;
  /** Null takes the rating back. */
  score: Score | null;
  honest: boolean;
  /** When the account was registered; left out where nothing is known about it. */
  registeredAt?: number;
  /**
   * Whether the rating is given, from the score that its rater sees then.
   * Without it the rating is always given.
   */
  onlyIf?: Condition | undefined;
}

export type Condition = (seen: Seen) => boolean;

/** A decision on one of the post's flood windows, by its number. */
export interface ModeratorDecision {
  at: number;
  window: number;
  status: DecidedStatus;
}

/** The ratings of one post, the campaign's start and the observation's end. */
export interface Traffic {
  ratings: readonly Rating[];
  start: number;
  end: number;
  /** From when on the score is to be near the raw average. */
  nearRawFrom?: number;
  /** Until when; to the end unless set. */
  nearRawUntil?: number;
  /** When the author excludes the held ratings. */
  excludedAt?: number;
  /** The decisions on single windows, in order. */
  decisions?: readonly ModeratorDecision[];
}

/**
 * A rating without its user.
 * `account` numbers the accounts of a crowd that gives several.
 */
export interface Arrival {
  at: number;
  score: Score | null;
  account?: number;
  onlyIf?: Condition | undefined;
  registeredAt?: number;
}

/** Which share of ratings is a 0, 1, … 5. */
export type Spread = readonly [number, number, number, number, number, number];

/** The organic ratings of the posts of all campaigns: 4.18 on average. */
export const usual: Spread = [0.03, 0.02, 0.05, 0.09, 0.26, 0.55];
/** 2.5 on average. */
export const changed: Spread = [0.15, 0.15, 0.2, 0.2, 0.15, 0.15];
/** 1.75 on average. */
export const turned: Spread = [0.3, 0.2, 0.2, 0.15, 0.05, 0.1];
/** 2.5 on average, without a middle. */
export const polarised: Spread = [0.5, 0, 0, 0, 0, 0.5];
export const zeros: Spread = [1, 0, 0, 0, 0, 0];
export const zerosAndSomeOnes: Spread = [0.9, 0.1, 0, 0, 0, 0];
export const fives: Spread = [0, 0, 0, 0, 0, 1];

export function meanOf(spread: Spread): number {
  return spread.reduce((sum, share, score) => sum + share * score, 0);
}

/** Organic traffic, each rater independent of the others: a Poisson process. */
export function organic(
  random: Random,
  { from, until, perHour, spread = usual }: { from: number; until: number; perHour: number; spread?: Spread },
): Arrival[] {
  const arrivals: Arrival[] = [];
  const gap = () => (-Math.log(1 - random()) / perHour) * hour;
  for (let at = from + gap(); at < until; at += gap())
    arrivals.push({ at: Math.floor(at), score: drawn(random, spread) });
  return arrivals;
}

/**
 * Organic traffic at a changing rate: an inhomogeneous Poisson process.
 * At most `mostPerHour` (thinning, Lewis and Shedler 1979).
 */
export function paced(
  random: Random,
  {
    from,
    until,
    mostPerHour,
    shareAt,
    spread = usual,
  }: { from: number; until: number; mostPerHour: number; shareAt: (at: number) => number; spread?: Spread },
): Arrival[] {
  return organic(random, { from, until, perHour: mostPerHour, spread }).filter(
    ({ at }) => random() < shareAt(at),
  );
}

/**
 * The age of an honest rater's account.
 * One in eight is under a day, the others up to three years.
 */
export function usualAge(random: Random): number {
  return random() < 1 / 8 ? random() * day : 1_000 ** random() * day;
}

/** How old the account of a campaign is: up to two days. */
export function newAge(random: Random): number {
  return random() * 2 * day;
}

/** The same arrivals with accounts of such ages. */
export function aged(
  random: Random,
  arrivals: readonly Arrival[],
  ageOf: (random: Random) => number,
): Arrival[] {
  return arrivals.map((arrival) => ({ ...arrival, registeredAt: Math.floor(arrival.at - ageOf(random)) }));
}

/**
 * Where in its time a crowd's member comes, given a number from 0 up to 1.
 * All numbers together are its shape.
 */
export type Shape = (part: number) => number;

/** Evenly, at random. */
export function within(span: number): Shape {
  return (part) => part * span;
}

/** At once with full force, and half as many in every further span. */
export function halvingEvery(span: number): Shape {
  return (part) => -Math.log2(1 - part) * span;
}

/** Unnoticeably few at first, then twice as many in every further span. */
export function doublingEvery(span: number, time: number): Shape {
  return (part) => Math.log2(1 + part * (2 ** (time / span) - 1)) * span;
}

/** An organised crowd, in the order of arrival. */
export function crowd(
  random: Random,
  { from, count, shape, spread }: { from: number; count: number; shape: Shape; spread: Spread },
): Arrival[] {
  return Array.from({ length: Math.round(count) }, () => from + Math.floor(shape(random())))
    .sort((a, b) => a - b)
    .map((at) => ({ at, score: drawn(random, spread) }));
}

/**
 * Both as ratings in order of arrival.
 * Users are new, numbered from 1, except accounts that return.
 */
export function ratingsOf(honest: readonly Arrival[], flood: readonly Arrival[] = []): Rating[] {
  const people = honest.map(({ account: _, ...arrival }, index) => ({
    ...arrival,
    userId: index + 1,
    honest: true,
  }));
  const crowd = flood.map(({ account, ...arrival }, index) => ({
    ...arrival,
    userId: honest.length + 1 + (account ?? index),
    honest: false,
  }));
  return [...people, ...crowd].sort((a, b) => a.at - b.at);
}

function drawn(random: Random, spread: Spread): Score {
  let part = random();
  for (const score of scores) {
    part -= spread[score];
    if (part < 0) return score;
  }
  return 5;
}

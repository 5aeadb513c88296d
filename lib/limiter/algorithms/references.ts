/**
 * Reference implementations of the algorithms, for tests to compare with.
 * They are slow and plain: lists of all counted requests, and whole numbers of any size.
 *
 * Only `take` sees a clock that runs back: requests counted later then count as counted at that time.
 */
export type Reference = {
  allows(now: number, cost: number): boolean;
  /** A request that may pass or not: counts it when it may, and sees the clock. */
  take(now: number, cost: number): boolean;
  refund(now: number, cost: number): void;
  /** Counts a grant by another process, even beyond the limit. */
  count(now: number, cost: number, grantedAt: number): void;
};

/** A bucket of `capacity`, drained (or refilled) by `requests` per `seconds`. */
export function referenceBucket(capacity: number, requests: number, seconds: number): Reference {
  // A unit is 1 / (1000 · seconds) request: `requests` of them flow per millisecond.
  const perRequest = 1000n * BigInt(seconds);
  let [used, at] = [0n, 0];
  const usedAt = (now: number) => {
    const flown = BigInt(Math.max(0, now - at)) * BigInt(requests);
    return used > flown ? used - flown : 0n;
  };
  const allows = (now: number, cost: number) =>
    usedAt(now) + BigInt(cost) * perRequest <= BigInt(capacity) * perRequest;
  return {
    allows,
    take(now, cost) {
      const allowed = allows(now, cost);
      if (allowed) [used, at] = [usedAt(now) + BigInt(cost) * perRequest, now];
      at = Math.min(at, now);
      return allowed;
    },
    refund(now, cost) {
      const left = usedAt(now) - BigInt(cost) * perRequest;
      if (usedAt(now) > 0n) [used, at] = [left > 0n ? left : 0n, now];
    },
    count(now, cost) {
      [used, at] = [usedAt(now) + BigInt(cost) * perRequest, now];
    },
  };
}

/** `isOver` is whether the window that was opened then has passed. */
function referenceCount(limit: number, isOver: (openedAt: number, now: number) => boolean): Reference {
  let [count, openedAt] = [0n, 0];
  const countAt = (now: number) => (isOver(Math.min(openedAt, now), now) ? 0n : count);
  const allows = (now: number, cost: number) => countAt(now) + BigInt(cost) <= BigInt(limit);
  return {
    allows,
    take(now, cost) {
      const allowed = allows(now, cost);
      const before = countAt(now);
      if (allowed) [count, openedAt] = [before + BigInt(cost), before === 0n ? now : openedAt];
      openedAt = Math.min(openedAt, now);
      return allowed;
    },
    refund(now, cost) {
      const left = countAt(now) - BigInt(cost);
      if (countAt(now) > 0n) [count, openedAt] = [left > 0n ? left : 0n, Math.min(openedAt, now)];
    },
    count(now, cost, grantedAt) {
      const before = countAt(now);
      const countedAt = Math.min(grantedAt, now);
      if (isOver(countedAt, now)) return;
      [count, openedAt] = [before + BigInt(cost), before === 0n ? countedAt : Math.min(openedAt, now)];
    },
  };
}

export function referenceWindow(limit: number, windowMs: number): Reference {
  return referenceCount(limit, (openedAt, now) => now - openedAt >= windowMs);
}

/** Windows that begin at whole multiples of `windowMs` since 1970. */
export function referenceClockWindow(limit: number, windowMs: number): Reference {
  const windowOf = (instant: number) => {
    const [time, length] = [BigInt(instant), BigInt(windowMs)];
    // A division of whole numbers drops the fraction, which before 1970 is the wrong way.
    return time / length - (time < 0n && time % length !== 0n ? 1n : 0n);
  };
  return referenceCount(limit, (openedAt, now) => windowOf(openedAt) !== windowOf(now));
}

/** Days of UTC. */
export function referenceDay(limit: number): Reference {
  return referenceCount(limit, (openedAt, now) => utcDay(openedAt) !== utcDay(now));
}

type ReferenceLog = Reference & {
  /** Requests that no longer count are gone for good, even if the clock runs back. */
  forget(now: number): void;
};

export function referenceLog(limit: number, windowMs: number): ReferenceLog {
  let log: number[] = [];
  const logAt = (now: number) => log.filter((time) => time > now - windowMs);
  const allows = (now: number, cost: number) => logAt(now).length + cost <= limit;
  return {
    allows,
    take(now, cost) {
      const allowed = allows(now, cost);
      if (allowed) log = [...logAt(now), ...Array.from({ length: cost }, () => now)];
      log = log.map((time) => Math.min(time, now));
      return allowed;
    },
    refund(now, cost) {
      if (logAt(now).length > 0) {
        log = logAt(now)
          .map((time) => Math.min(time, now))
          .slice(0, -cost);
      }
    },
    count(now, cost, grantedAt) {
      if (grantedAt <= now - windowMs) return;
      log = [...logAt(now).map((time) => Math.min(time, now)), ...Array.from({ length: cost }, () => now)];
    },
    forget(now) {
      if (logAt(now).length === 0) log = [];
    },
  };
}

/** So many of a UTC day are free, and all beyond goes by the other reference. */
export function referenceTiers(freePerDay: number, beyond: ReferenceLog): Reference {
  let [count, countedAt] = [0, 0];
  const countAt = (now: number) => (utcDay(Math.min(countedAt, now)) === utcDay(now) ? count : 0);
  const costBeyond = (now: number, cost: number) => Math.max(0, countAt(now) + cost - freePerDay) - over(now);
  const over = (now: number) => Math.max(0, countAt(now) - freePerDay);
  const allows = (now: number, cost: number) =>
    costBeyond(now, cost) === 0 || beyond.allows(now, costBeyond(now, cost));
  return {
    allows,
    take(now, cost) {
      const before = countAt(now);
      const allowed = costBeyond(now, cost) === 0 || beyond.take(now, costBeyond(now, cost));
      if (allowed || (before > 0 && now < countedAt)) beyond.forget(now);
      if (allowed) {
        [count, countedAt] = [before + cost, before === 0 ? now : Math.min(countedAt, now)];
      }
      countedAt = Math.min(countedAt, now);
      return allowed;
    },
    refund(now, cost) {
      const before = countAt(now);
      if (before === 0) return;
      const back = Math.min(cost, over(now));
      if (back > 0) beyond.refund(now, back);
      beyond.forget(now);
      [count, countedAt] = [Math.max(0, before - cost), Math.min(countedAt, now)];
    },
    count(now, cost, grantedAt) {
      if (utcDay(Math.min(grantedAt, now)) !== utcDay(now)) return;
      const [before, notFree] = [countAt(now), costBeyond(now, cost)];
      if (notFree > 0) beyond.count(now, notFree, grantedAt);
      beyond.forget(now);
      [count, countedAt] = [before + cost, before === 0 ? now : Math.min(countedAt, now)];
    },
  };
}

function utcDay(instant: number): string {
  return new Date(instant).toISOString().slice(0, 10);
}

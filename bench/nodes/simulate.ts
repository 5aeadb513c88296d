/**
 * A simulated cluster.
 *
 * Requests arrive by chance and go from one place to the next, each of which serves a number of them at a time, in
 * order of arrival, for a time that is by chance as well (exponential: as uneven as arrivals). Everything is drawn from
 * one seed, so the same plan has the same result.
 */
export interface Station {
  name: string;
  /** How many it serves at a time. */
  servers: number;
}

export interface Stop {
  place: string;
  meanMs: number;
}

export interface Use {
  /** How much of the place was in use, from 0 to 1. */
  busy: number;
  meanWaitMs: number;
  /** 99 of 100 waited no longer. */
  p99WaitMs: number;
}

interface Job {
  stops: readonly Stop[];
  next: number;
}

interface Queue {
  servers: number;
  serving: number;
  /** The requests that wait, from `head` on, with the time since when. */
  waiting: { job: Job; since: number }[];
  head: number;
  busyMs: number;
  waitsMs: number[];
}

/**
 * @param plan.perSecond how many requests come a second
 * @param plan.route where a request that comes at this time goes, one stop after the other
 * @param plan.random numbers from 0 up to 1
 * @returns each place's use, by its name
 */
export function simulate({
  places,
  perSecond,
  route,
  seconds,
  random,
}: {
  places: readonly Station[];
  perSecond: number;
  route: (nowMs: number) => readonly Stop[];
  seconds: number;
  random: () => number;
}): Map<string, Use> {
  const endMs = seconds * 1_000;
  const queues = new Map(
    places.map(({ name, servers }): [string, Queue] => [
      name,
      { servers, serving: 0, waiting: [], head: 0, busyMs: 0, waitsMs: [] },
    ]),
  );
  const drawn = (meanMs: number) => -Math.log(1 - random()) * meanMs;
  const events = new Events<{ job: Job; leaves?: Queue }>();

  function arrive(job: Job, nowMs: number): void {
    const stop = job.stops[job.next];
    if (!stop) return;
    const queue = queues.get(stop.place);
    if (!queue) throw new Error(`There is no place ${stop.place}.`);
    if (queue.serving < queue.servers) serve(queue, job, stop, nowMs, 0);
    else queue.waiting.push({ job, since: nowMs });
  }

  function serve(queue: Queue, job: Job, { meanMs }: Stop, nowMs: number, waitMs: number): void {
    const takesMs = drawn(meanMs);
    queue.serving += 1;
    queue.waitsMs.push(waitMs);
    queue.busyMs += Math.min(takesMs, endMs - nowMs);
    events.add(nowMs + takesMs, { job, leaves: queue });
  }

  function leave(queue: Queue, nowMs: number): void {
    queue.serving -= 1;
    const first = queue.waiting[queue.head];
    if (!first) return;
    queue.head += 1;
    const stop = first.job.stops[first.job.next];
    if (stop) serve(queue, first.job, stop, nowMs, nowMs - first.since);
  }

  const comes = (nowMs: number) => events.add(nowMs, { job: { stops: route(nowMs), next: 0 } });
  comes(drawn(1_000 / perSecond));
  for (;;) {
    const event = events.take();
    if (!event || event.atMs >= endMs) break;
    const { atMs, what } = event;
    const { job, leaves } = what;
    if (leaves) {
      leave(leaves, atMs);
      job.next += 1;
    } else comes(atMs + drawn(1_000 / perSecond));
    arrive(job, atMs);
  }

  return new Map(
    [...queues].map(([name, { servers, busyMs, waitsMs, waiting, head }]) => {
      // A request that still waits has waited until the end.
      const all = [...waitsMs, ...waiting.slice(head).map(({ since }) => endMs - since)];
      all.sort((a, b) => a - b);
      const use: Use = {
        busy: busyMs / endMs / servers,
        meanWaitMs: all.reduce((sum, waitMs) => sum + waitMs, 0) / Math.max(1, all.length),
        p99WaitMs: all[Math.floor((all.length - 1) * 0.99)] ?? 0,
      };
      return [name, use];
    }),
  );
}

/** The events to come, the earliest first: a binary heap. */
class Events<T> {
  #heap: { atMs: number; what: T }[] = [];

  add(atMs: number, what: T): void {
    const heap = this.#heap;
    let index = heap.push({ atMs, what }) - 1;
    while (index > 0) {
      const above = (index - 1) >> 1;
      if (this.#at(above) <= atMs) break;
      this.#swap(index, above);
      index = above;
    }
  }

  take(): { atMs: number; what: T } | undefined {
    const heap = this.#heap;
    const [first] = heap;
    const last = heap.pop();
    if (!first || !last || heap.length === 0) return first;
    heap[0] = last;
    for (let index = 0; ; ) {
      const left = index * 2 + 1;
      const least = this.#at(left + 1) < this.#at(left) ? left + 1 : left;
      if (this.#at(least) >= last.atMs) return first;
      this.#swap(index, least);
      index = least;
    }
  }

  #at(index: number): number {
    return this.#heap[index]?.atMs ?? Number.POSITIVE_INFINITY;
  }

  #swap(one: number, other: number): void {
    const [a, b] = [this.#heap[one], this.#heap[other]];
    if (a && b) [this.#heap[one], this.#heap[other]] = [b, a];
  }
}

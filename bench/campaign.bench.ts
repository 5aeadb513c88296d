/**
 * What campaigns of ratings do to the public score: ours, which is judged, and those of others. The traffic is simulated,
 * the same in every run. Authors and administrators intervene only in the scenarios that say so.
 */
import { attackers } from "./campaign/attackers.ts";
import { leftAlone, middleOf, playAll, trafficOf, worstOf } from "./campaign/compare.ts";
import { floods } from "./campaign/floods.ts";
import { honestKinds } from "./campaign/honest-kinds.ts";
import type { Scenario } from "./campaign/scenario.ts";
import { scenarios } from "./campaign/scenarios.ts";
import { missedIn, tableOf } from "./campaign/table.ts";
import { others, ours } from "./campaign/ways.ts";
import type { Report } from "./table.ts";

const title = `Campaigns of ratings: 30 ratings an hour for 18 days and on, 4.18 on average, and then
  1 h, 24 h, 7 d   the largest shift of the public score since the start, in stars, on the middle one
                   of several posts, which differ by chance; "left alone": without the campaign
  refused, held    shares of the honest ratings: refused ever; not counted after a day, a day after each
                   was given, after a week
  flood in         the share of the campaign's own ratings that count a week after the start`;

export async function report(): Promise<Report> {
  const judged = [...scenarios, ...honestKinds, ...floods].map(playScenario);
  const known = attackers.map(playScenario);
  return {
    text: [
      title,
      ...judged.map(({ table }) => table),
      "Attackers who know how the score works: nothing is promised, this is what gets through",
      ...known.map(({ table }) => table),
    ].join("\n\n"),
    missed: judged.reduce((sum, { missed }) => sum + missed, 0),
  };
}

function playScenario(scenario: Scenario) {
  const posts = trafficOf(scenario);
  const outcomes = playAll(ours, posts, scenario);
  const own = { name: ours.name, summary: middleOf(outcomes) };
  const notes = [{ name: `worst of ${posts.length}`, summary: worstOf(outcomes) }];
  if (posts.some(({ ratings }) => ratings.some(({ honest }) => !honest))) {
    const alone = playAll(ours, posts.map(leftAlone), scenario);
    notes.push({ name: "worst, left alone", summary: worstOf(alone) });
  }
  const theirs = others.map((way) => ({ name: way.name, summary: middleOf(playAll(way, posts, scenario)) }));
  return {
    table: tableOf(scenario, { ours: own, notes, others: theirs }),
    missed: missedIn(scenario, own).length,
  };
}

/**
 * The effect of rating campaigns on the public score.
 * It compares our method, which has targets, with those of others. The traffic is simulated, the same in every run.
 * Authors and administrators intervene only in the scenarios that include it.
 */
import { playAdversaries } from "./campaign/adversaries.ts";
import { attackers } from "./campaign/attackers.ts";
import { leftAlone, middleOf, playAll, trafficOf, worstOf } from "./campaign/compare.ts";
import { firstLaw } from "./campaign/first-law.ts";
import { floods } from "./campaign/floods.ts";
import { honestKinds } from "./campaign/honest-kinds.ts";
import { plainMean } from "./campaign/means.ts";
import { attackTitles, otherAttacks } from "./campaign/other-attacks.ts";
import { removals } from "./campaign/removals.ts";
import type { Scenario } from "./campaign/scenario.ts";
import { scenarios } from "./campaign/scenarios.ts";
import { others, ours } from "./campaign/scoring-methods.ts";
import { settledAlone } from "./campaign/settled-alone.ts";
import { summaryTable } from "./campaign/summary.ts";
import { missedIn, tableOf } from "./campaign/table.ts";
import type { Report } from "./table.ts";

const title = `Campaigns of ratings: 30 ratings an hour for 18 days and on, 4.18 on average, and then
  1 h, 24 h, 7 d   the largest shift of the public score since the start, in stars, on the middle one
                   of several posts, which differ by chance; "left alone": without the campaign
  refused, held    shares of the honest ratings: refused ever; not counted after a day, a day after each
                   was given, after a week
  flood in         the share of the campaign's own ratings that count a week after the start`;

export async function report(): Promise<Report> {
  const judged = [...scenarios, ...removals, ...honestKinds, ...floods].map(playScenario);
  const known = attackers.map(playScenario);
  const attacks = await otherAttacks();
  const adversaries = playAdversaries();
  return {
    text: [
      title,
      ...judged.map(({ table }) => table),
      "Attackers who know how the score works: nothing is promised, this is what gets through",
      ...known.map(({ table }) => table),
      `Attacks on what stands before a score: accounts, names, room to rate\n${attackTitles(attacks)}`,
      `All figures with a target. Before: of scores, as recorded when these scenarios were played on the code before the
  second law and the flood detector (first-law.ts); of other attacks, played now under the old rule that their line names`,
      summaryTable(judged, firstLaw, attacks),
      adversaries.line,
    ].join("\n\n"),
    missed:
      judged.reduce((sum, { missed }) => sum + missed, adversaries.isMet ? 0 : 1) +
      attacks.filter(({ after, allowed }) => after > allowed).length,
  };
}

function playScenario(scenario: Scenario) {
  const method = scenario.alone ? settledAlone : ours;
  const posts = trafficOf(scenario);
  const outcomes = playAll(method, posts, scenario);
  const own = middleOf(outcomes);
  const row = { name: method.name, summary: own };
  const notes = [{ name: `worst of ${posts.length}`, summary: worstOf(outcomes) }];
  if (posts.some(({ ratings }) => ratings.some(({ honest }) => !honest))) {
    const alone = playAll(method, posts.map(leftAlone), scenario);
    notes.push({ name: "worst, left alone", summary: worstOf(alone) });
  }
  const theirs = [ours, ...others]
    .filter((other) => other !== method)
    .map((other) => ({ name: other.name, summary: middleOf(playAll(other, posts, scenario)) }));
  return {
    scenario,
    own,
    mean: theirs.find(({ name }) => name === plainMean.name)?.summary ?? own,
    table: tableOf(scenario, { ours: row, notes, others: theirs }),
    missed: missedIn(scenario, row).length,
  };
}

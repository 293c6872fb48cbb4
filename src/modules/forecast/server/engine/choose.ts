import type { Scores } from './backtest.ts';
import { CANDIDATES, type Candidate } from './candidates.ts';
import { at } from './series.ts';

/** A candidate alone, the median of the best three, or the life of products that a new one is like. */
export type Model = Chosen | 'reference';
/** What can be chosen: a look-alike is told by people, not by scores. */
type Chosen = Candidate | 'ensemble';

export interface Choice {
  model: Chosen;
  /** The candidates whose median is the forecast. */
  members: Candidate[];
}

/** Origins of an item's class that count as much as its own: what one item says from eight origins is mostly luck. */
const SHRINK = 8;
/** What is chosen must be better than seasonal naive by 3 %, or that is taken. */
const MARGIN = 0.97;
/** A single candidate must be better than the best three on average by 10 %. */
const ALONE = 0.9;
/** Better than what the item has now by 5 %, or that stays. */
const HYSTERESIS = 0.95;
const TOGETHER = 3;

/** Scores of an item's own origins and of its class, weighed by how many its own are. */
export function blended(own: Scores, pooled: Float64Array): Float64Array {
  return pooled.map((common, n) => {
    const score = at(own.scores, n);
    if (own.origins === 0 || Number.isNaN(score)) return common;
    return (own.origins * score + SHRINK * common) / (own.origins + SHRINK);
  });
}

/** Candidates that could be scored, the best first, and the best three of them. */
function rankedOf(scores: Float64Array) {
  const ranked = CANDIDATES.map((candidate, n) => ({ candidate, score: at(scores, n) }))
    .filter(({ score }) => Number.isFinite(score))
    .sort((a, b) => a.score - b.score);
  return { ranked, best: ranked.slice(0, TOGETHER) };
}

/**
 * Chooses by blended scores. The best three together are the rule, since what was best on a few origins seldom is again;
 * one of them alone if it is 10 % better than they are on average. What is not 3 % better than seasonal naive gives way to
 * it, the simplest that knows weekdays. `present`, what the item has now, stays unless the new one is 5 % better.
 */
export function choose(scores: Float64Array, present?: Model): Choice {
  const { ranked, best } = rankedOf(scores);
  const first = best[0];
  // Nothing could be tried on any item: the rule model.
  if (!first) return alone('weightedAverage');
  const together = best.reduce((sum, { score }) => sum + score, 0) / best.length;
  const scoreOf = (model: Chosen) =>
    model === 'ensemble' ? together : (ranked.find(({ candidate }) => candidate === model)?.score ?? Infinity);
  let model: Chosen = first.score < ALONE * together ? first.candidate : 'ensemble';
  if (scoreOf(model) >= MARGIN * scoreOf('seasonalNaive')) model = 'seasonalNaive';
  if (present && present !== 'reference' && scoreOf(model) > HYSTERESIS * scoreOf(present)) model = present;
  return model === 'ensemble' ? { model, members: best.map(({ candidate }) => candidate) } : alone(model);
}

/** What somebody chose; of look-alikes, which are no method of their own, what is chosen without a word of his. */
export function kept(scores: Float64Array, locked: Model): Choice {
  if (locked === 'reference') return choose(scores);
  if (locked !== 'ensemble') return alone(locked);
  const { best } = rankedOf(scores);
  return best.length === 0
    ? alone('weightedAverage')
    : { model: locked, members: best.map(({ candidate }) => candidate) };
}

function alone(candidate: Candidate): Choice {
  return { model: candidate, members: [candidate] };
}

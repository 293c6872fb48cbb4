import { at, type Days, known } from '../series.ts';

/** Parameters of damped additive Holt-Winters: level, trend, season, damping. */
export interface HoltWintersGains {
  alpha: number;
  beta: number;
  gamma: number;
  phi: number;
}

/** Level, trend and the seven seasonal terms; `season[phase]` is the term of the coming day. */
export interface HoltWintersState {
  level: number;
  trend: number;
  season: Float64Array;
  phase: number;
}

/** One known day: L' = α(y−S)+(1−α)(L+φT), T' = β(L'−L)+(1−β)φT, S' = γ(y−L')+(1−γ)S. An unknown day only moves on. */
export function holtWintersStep(state: HoltWintersState, value: number, gains: HoltWintersGains): void {
  const { level, season, phase } = state;
  const trend = gains.phi * state.trend;
  if (Number.isNaN(value)) {
    state.level = level + trend;
    state.trend = trend;
  } else {
    const term = at(season, phase);
    state.level = gains.alpha * (value - term) + (1 - gains.alpha) * (level + trend);
    state.trend = gains.beta * (state.level - level) + (1 - gains.beta) * trend;
    season[phase] = gains.gamma * (value - state.level) + (1 - gains.gamma) * term;
  }
  state.phase = (phase + 1) % 7;
}

/** What the coming day is expected to sell. */
export function holtWintersNext(state: HoltWintersState, phi: number): number {
  return state.level + phi * state.trend + at(state.season, state.phase);
}

const GAINS: readonly HoltWintersGains[] = [0.02, 0.05, 0.1, 0.2, 0.35].flatMap((alpha) =>
  [0, 0.05].flatMap((beta) => [0, 0.05, 0.15].map((gamma) => ({ alpha, beta, gamma, phi: 0.9 }))),
);

/**
 * Damped additive Holt-Winters with a season of seven days; gains of least squared error one day ahead from a small grid,
 * over the last `FITTED` days (the state is formed from all). Sales below zero are 0. Fewer than three weeks: the mean.
 */
export function holtWinters(history: Days, horizon: number): Days {
  const all = known(history);
  if (all.count < 21) return new Float64Array(horizon).fill(all.mean);
  const recent = history.subarray(Math.max(0, history.length - FITTED));
  const start = startOf(recent);
  let best = run(recent, start, GAINS[0] as HoltWintersGains);
  for (const gains of GAINS.slice(1)) {
    const other = run(recent, start, gains);
    if (other.squares < best.squares) best = other;
  }
  const { state, gains } = best;
  const result = new Float64Array(horizon);
  let damped = 0;
  let power = 1;
  for (let ahead = 0; ahead < horizon; ahead += 1) {
    power *= gains.phi;
    damped += power;
    result[ahead] = Math.max(0, state.level + damped * state.trend + at(state.season, (state.phase + ahead) % 7));
  }
  return result;
}

const FITTED = 364;

/** Level and season from the means of the first eight weeks. */
function startOf(history: Days): HoltWintersState {
  const first = history.subarray(0, 56);
  const level = known(first).mean;
  const season = new Float64Array(7);
  for (let phase = 0; phase < 7; phase += 1) {
    let sum = 0;
    let count = 0;
    for (let day = phase; day < first.length; day += 7) {
      if (Number.isNaN(at(first, day))) continue;
      sum += at(first, day);
      count += 1;
    }
    season[phase] = count === 0 ? 0 : sum / count - level;
  }
  return { level, trend: 0, season, phase: 0 };
}

function run(history: Days, start: HoltWintersState, gains: HoltWintersGains) {
  const state = { ...start, season: Float64Array.from(start.season) };
  let squares = 0;
  for (let day = 0; day < history.length; day += 1) {
    const value = at(history, day);
    if (!Number.isNaN(value)) {
      const error = value - holtWintersNext(state, gains.phi);
      squares += error * error;
    }
    holtWintersStep(state, value, gains);
  }
  return { state, squares, gains };
}

/** Tells the time in epoch milliseconds. */
export interface Clock {
  now(): number;
}

/** The machine's clock. */
export const wallClock: Clock = { now: () => Date.now() };

/**
 * A clock that moves only when told to; for tests of buckets, token expiry and signed addresses.
 * `advance` takes milliseconds and returns the new time.
 */
export interface ManualClock extends Clock {
  advance(ms: number): number;
}

/** A manual clock that starts at `start` (epoch ms). */
export function manualClock(start: number): ManualClock {
  let time = start;
  return {
    now: () => time,
    advance: (ms) => {
      time += ms;
      return time;
    },
  };
}

export type ClockMode = 'frozen' | 'real' | 'scaled';

/** How the data clock runs: `factor` data milliseconds per real millisecond, from the anchor pair onwards. */
export interface DataClockState {
  mode: ClockMode;
  factor: number;
  /** Data time at the anchor, epoch ms. */
  dataAt: number;
  /** Real time at the anchor, epoch ms. */
  realAt: number;
}

/** A change to the data clock, as the control surface receives it. */
export interface ClockCommand {
  mode?: ClockMode;
  factor?: number;
  /** Jump forward by this many milliseconds. */
  advanceMs?: number;
  /** Jump to this instant (epoch ms), never backwards. */
  setAt?: number;
}

/**
 * The clock that drives the business. It never runs backwards: what a caller was shown once must stay true, so a
 * command that would turn it back is refused with an Error.
 */
export class DataClock implements Clock {
  #state: DataClockState;
  readonly #real: Clock;

  constructor(state: DataClockState, real: Clock = wallClock) {
    this.#state = state;
    this.#real = real;
  }

  /** The state to write to the command log; a clock made from it goes on as if the process had never stopped. */
  get state(): DataClockState {
    return { ...this.#state };
  }

  now(): number {
    const { mode, factor, dataAt, realAt } = this.#state;
    if (mode === 'frozen') return dataAt;
    const elapsed = Math.max(0, this.#real.now() - realAt);
    return Math.floor(dataAt + elapsed * (mode === 'scaled' ? factor : 1));
  }

  /** Move forward by `ms` and return the new data time. */
  advance(ms: number): number {
    this.apply({ advanceMs: ms });
    return this.now();
  }

  /** Apply a command; returns the new state. Throws on a factor that is not positive or on a move backwards. */
  apply(command: ClockCommand): DataClockState {
    const now = this.now();
    const target = (command.setAt ?? now) + (command.advanceMs ?? 0);
    if (!Number.isFinite(target) || target < now) throw new Error('The data clock cannot run backwards.');
    const factor = command.factor ?? this.#state.factor;
    if (!(factor > 0) || !Number.isFinite(factor)) throw new Error('The speed of the data clock must be above zero.');
    const mode = command.mode ?? (command.factor === undefined ? this.#state.mode : 'scaled');
    this.#state = { mode, factor, dataAt: target, realAt: this.#real.now() };
    return this.state;
  }
}

/** ISO 8601 in UTC, without the milliseconds when there are none: the spelling of the real API's answers. */
export function iso(at: number): string {
  return new Date(at).toISOString().replace('.000Z', 'Z');
}

/** UTC midnight of the day that `at` lies in, epoch ms. */
export function utcMidnight(at: number): number {
  return Math.floor(at / 86_400_000) * 86_400_000;
}

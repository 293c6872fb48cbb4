import { companyDay } from '../contract/day.ts';

const DAY_MS = 86_400_000;

/** The product's own notion of now: what days, quarters, ages and expiries are counted from. */
export interface Clock {
  now(): Date;
  /** Milliseconds since the epoch. */
  ms(): number;
  /** The day that companies count by, "yyyy-MM-dd" in Beijing. */
  today(): string;
  /** The day so many days after today; before it where `ahead` is negative. */
  dayAhead(ahead: number): string;
  /** How far this clock is ahead of the machine's, in whole milliseconds; may be negative. */
  readonly shiftMs: number;
}

/**
 * A clock that runs as fast as the machine's, `shiftMs` ahead of it. The database follows it in every transaction of the
 * product: kit.now() in SQL and now() here are of one clock. Leases, queues, rate limits and waits are the machine's.
 */
export class ShiftedClock implements Clock {
  #shiftMs: number;

  constructor(shiftMs = 0) {
    this.#shiftMs = Math.round(shiftMs);
  }

  get shiftMs(): number {
    return this.#shiftMs;
  }

  ms(): number {
    return Date.now() + this.#shiftMs;
  }

  now(): Date {
    return new Date(this.ms());
  }

  today(): string {
    return this.dayAhead(0);
  }

  dayAhead(ahead: number): string {
    return companyDay(this.ms() + ahead * DAY_MS);
  }

  /** Goes forward by so many milliseconds; transactions that are open keep the time of their beginning. */
  advance(ms: number): void {
    if (ms < 0) throw new Error('a clock does not run backwards');
    this.#shiftMs += Math.round(ms);
  }
}

/** The machine's clock. */
export const machineClock: Clock = new ShiftedClock();

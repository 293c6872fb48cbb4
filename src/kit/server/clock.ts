import { DEFAULT_ZONE, dayAfter, dayIn } from '../contract/day.ts';

/** The product's own notion of now: what days, quarters, ages and expiries are counted from. */
export interface Clock {
  now(): Date;
  /** Milliseconds since the epoch. */
  ms(): number;
  /** IANA zone in which it counts days. */
  readonly zone: string;
  /** The day "yyyy-MM-dd" of an instant in its zone. */
  dayOf(at: Date | number): string;
  /** The day now in its zone. */
  today(): string;
  /** The day so many days after today; before it where `ahead` is negative. */
  dayAhead(ahead: number): string;
  /** The same clock in another zone. */
  in(zone: string): Clock;
  /** How far this clock is ahead of the machine's, in whole milliseconds; may be negative. */
  readonly shiftMs: number;
}

/** Days of a zone, by whatever tells the time. */
abstract class ZonedClock implements Clock {
  readonly zone: string;
  constructor(zone: string) {
    this.zone = zone;
  }

  abstract readonly shiftMs: number;

  ms(): number {
    return Date.now() + this.shiftMs;
  }

  now(): Date {
    return new Date(this.ms());
  }

  dayOf(at: Date | number): string {
    return dayIn(this.zone, at);
  }

  today(): string {
    return this.dayOf(this.ms());
  }

  // By the calendar: a day may have 23 or 25 hours.
  dayAhead(ahead: number): string {
    return dayAfter(this.today(), ahead);
  }

  in(zone: string): Clock {
    return zone === this.zone ? this : new ClockAbroad(this, zone);
  }
}

/** What another clock says, with the days of a zone of its own. */
class ClockAbroad extends ZonedClock {
  readonly #base: Clock;
  constructor(base: Clock, zone: string) {
    super(zone);
    this.#base = base;
  }

  get shiftMs(): number {
    return this.#base.shiftMs;
  }
}

/**
 * A clock that runs as fast as the machine's, `shiftMs` ahead of it. The database follows it in every transaction of the
 * product: kit.now() in SQL and now() here are of one clock. The queue and waits within a job are the machine's.
 */
export class ShiftedClock extends ZonedClock {
  #shiftMs: number;

  constructor(shiftMs = 0) {
    super(DEFAULT_ZONE);
    this.#shiftMs = Math.round(shiftMs);
  }

  get shiftMs(): number {
    return this.#shiftMs;
  }

  /** Goes forward by so many milliseconds; transactions that are open keep the time of their beginning. */
  advance(ms: number): void {
    if (ms < 0) throw new Error('a clock does not run backwards');
    this.#shiftMs += Math.round(ms);
  }
}

/** The machine's clock. */
export const machineClock: Clock = new ShiftedClock();

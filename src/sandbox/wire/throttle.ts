import type { Clock } from './clock.ts';

/** A usage plan: tokens per second, and the most that can be saved up. */
export interface UsagePlan {
  rate: number;
  burst: number;
}

/** What the control surface shows of one bucket. */
export interface Meter {
  key: string;
  rate: number;
  burst: number;
  tokens: number;
  calls: number;
  throttled: number;
}

interface Bucket {
  plan: UsagePlan;
  tokens: number;
  refilledAt: number;
  calls: number;
  throttled: number;
}

/**
 * Token buckets, one per account + application + operation:
 * `tokens = min(burst, tokens + rate * (now - refilledAt))`, a call needs one whole token.
 * `rateFactor` multiplies every rate (not the burst), like a dynamic usage plan that Amazon raises for busy sellers.
 */
export class Throttle {
  readonly #clock: Clock;
  readonly #buckets = new Map<string, Bucket>();
  rateFactor: number;

  constructor(clock: Clock, rateFactor = 1) {
    this.#clock = clock;
    this.rateFactor = rateFactor;
  }

  /** The rate in force for a plan, tokens per second, as the x-amzn-RateLimit-Limit header shows it. */
  rateOf(plan: UsagePlan): number {
    return Number((plan.rate * this.rateFactor).toPrecision(6));
  }

  /** Take a token; false when there is none, which costs nothing. */
  take(key: string, plan: UsagePlan): boolean {
    const bucket = this.#refill(key, plan);
    bucket.calls += 1;
    // A caller that waits exactly (1 - tokens) / rate must not fail on the last bit of a binary fraction.
    if (bucket.tokens < 1 - 1e-9) {
      bucket.throttled += 1;
      return false;
    }
    bucket.tokens -= 1;
    return true;
  }

  /** Every bucket used so far, as of now. */
  meters(): Meter[] {
    return [...this.#buckets.entries()].map(([key, { plan }]) => {
      const bucket = this.#refill(key, plan);
      const { tokens, calls, throttled } = bucket;
      return { key, rate: this.rateOf(plan), burst: plan.burst, tokens, calls, throttled };
    });
  }

  /** Fill every bucket again and forget the counts. */
  reset(): void {
    this.#buckets.clear();
  }

  #refill(key: string, plan: UsagePlan): Bucket {
    const now = this.#clock.now();
    const known = this.#buckets.get(key);
    if (!known) {
      const fresh: Bucket = { plan, tokens: plan.burst, refilledAt: now, calls: 0, throttled: 0 };
      this.#buckets.set(key, fresh);
      return fresh;
    }
    const gained = (this.rateOf(plan) * Math.max(0, now - known.refilledAt)) / 1000;
    known.tokens = Math.min(plan.burst, known.tokens + gained);
    known.refilledAt = now;
    return known;
  }
}

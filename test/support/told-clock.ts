import { ShiftedClock } from '#kit/server/clock.ts';

/** A clock that stands where it was told to be last; its database follows it in every transaction. */
export class ToldClock extends ShiftedClock {
  #at: number;

  /** `at`: epoch ms. */
  constructor(at: number) {
    super();
    this.#at = at;
  }

  override get shiftMs(): number {
    return Math.round(this.#at - Date.now());
  }

  override ms(): number {
    return this.#at;
  }

  /** Goes on to an instant, epoch ms; one that lies behind is no news. */
  tell(at: number): void {
    this.#at = Math.max(this.#at, at);
  }
}

/** An element that is known to be there. */
const at = (array: Int32Array, index: number): number => array[index] ?? 0;

/** Rounding of doubles must lose nobody; what is let in by it is judged again by whoever asks. */
const SLACK = 1e-6;
/** Where the rarest pieces lead to no more than so many sets, those are compared one by one: mostly the nearest are among them. */
const FIRST = 100;

/** The two nearest so far; of those that are as near the one with the lower number comes first. */
class Best {
  readonly at: number[] = [];
  readonly how: number[] = [];
  readonly least: number;
  constructor(least: number) {
    this.least = least - SLACK;
  }
  /** Whoever is less alike than that is not among the two. */
  get bar(): number {
    return Math.max(this.least, (this.how[1] ?? 0) - SLACK);
  }
  offer(index: number, how: number): void {
    if (how < this.least) return;
    let place = this.at.length;
    while (place > 0) {
      const [other = 0, number = 0] = [this.how[place - 1], this.at[place - 1]];
      if (how < other || (how === other && index > number)) break;
      place -= 1;
    }
    if (place > 1) return;
    this.at.splice(place, 0, index);
    this.how.splice(place, 0, how);
    this.at.length = Math.min(2, this.at.length);
    this.how.length = Math.min(2, this.how.length);
  }
}

/**
 * Finds the two sets that are most like a given one, exactly and without comparing it with all of them. Whoever shares enough
 * with a set has to share one of its rarest pieces (prefix filter), and of those as many as the rest cannot make up for;
 * only then the two are compared. Source: Bayardo, Ma, Srikant, "Scaling Up All Pairs Similarity Search", WWW 2007.
 */
export class Nearest {
  /** Pieces of the sets, one set after the other, and where each begins: one array is read faster than many. */
  private readonly pieces: Int32Array;
  private readonly starts: Int32Array;
  /** Sets that hold a piece, one piece after the other, and where those of each piece begin. */
  private readonly holders: Int32Array;
  private readonly begins: Int32Array;
  private readonly marks: Int32Array;
  private readonly seen: Int32Array;
  private readonly counts: Int32Array;
  private readonly touched: Int32Array;
  private turn = 0;

  /** @param count how many different pieces there are: they are numbered from 0 */
  constructor(sets: readonly Int32Array[], count: number) {
    this.starts = new Int32Array(sets.length + 1);
    for (const [index, set] of sets.entries()) this.starts[index + 1] = at(this.starts, index) + set.length;
    this.pieces = new Int32Array(at(this.starts, sets.length));
    this.begins = new Int32Array(count + 1);
    for (const [index, set] of sets.entries()) {
      this.pieces.set(set, at(this.starts, index));
      for (const piece of set) this.begins[piece + 1] = at(this.begins, piece + 1) + 1;
    }
    for (let piece = 0; piece < count; piece += 1) {
      this.begins[piece + 1] = at(this.begins, piece + 1) + at(this.begins, piece);
    }
    const next = this.begins.slice();
    this.holders = new Int32Array(this.pieces.length);
    for (const [index, set] of sets.entries()) {
      for (const piece of set) {
        this.holders[at(next, piece)] = index;
        next[piece] = at(next, piece) + 1;
      }
    }
    this.marks = new Int32Array(count);
    this.seen = new Int32Array(sets.length);
    this.counts = new Int32Array(sets.length);
    this.touched = new Int32Array(sets.length);
  }

  private holding(piece: number): number {
    return at(this.begins, piece + 1) - at(this.begins, piece);
  }

  private sizeOf(index: number): number {
    return at(this.starts, index + 1) - at(this.starts, index);
  }

  /** Compares set `index` with the marked one of `size` pieces. */
  private compare(index: number, size: number, best: Best): void {
    const end = at(this.starts, index + 1);
    let shared = 0;
    for (let i = at(this.starts, index); i < end; i += 1) {
      if (at(this.marks, at(this.pieces, i)) === this.turn) shared += 1;
    }
    const how = shared / (size + this.sizeOf(index) - shared);
    if (how >= best.bar) best.offer(index, how);
  }

  /** Compares those that hold the rarest pieces; tells whether nobody else can be among the nearest. */
  private first(rarest: Int32Array, size: number, best: Best): boolean {
    let compared = 0;
    for (let place = 0; place < rarest.length; place += 1) {
      // Whoever holds none of the pieces so far shares no more than the others.
      if ((rarest.length - place) / size < best.bar) return true;
      const piece = at(rarest, place);
      compared += this.holding(piece);
      if (compared > FIRST) return false;
      for (let i = at(this.begins, piece); i < at(this.begins, piece + 1); i += 1) {
        const index = at(this.holders, i);
        if (at(this.seen, index) === this.turn) continue;
        this.seen[index] = this.turn;
        this.compare(index, size, best);
      }
    }
    return true;
  }

  /** Counts who holds how many of the rarest pieces, and compares those that may be near enough. */
  private rest(rarest: Int32Array, size: number, best: Best): void {
    const counted = Math.min(rarest.length, Math.floor(rarest.length - best.bar * size) + 1);
    let found = 0;
    for (let place = 0; place < counted; place += 1) {
      const piece = at(rarest, place);
      for (let i = at(this.begins, piece); i < at(this.begins, piece + 1); i += 1) {
        const index = at(this.holders, i);
        if (at(this.counts, index) === 0) this.touched[found++] = index;
        this.counts[index] = at(this.counts, index) + 1;
      }
    }
    for (let i = 0; i < found; i += 1) {
      const index = at(this.touched, i);
      const { bar } = best;
      const wanted = (bar / (1 + bar)) * (size + this.sizeOf(index));
      const most = at(this.counts, index) + rarest.length - counted;
      this.counts[index] = 0;
      if (most >= wanted && at(this.seen, index) !== this.turn) this.compare(index, size, best);
    }
  }

  /**
   * Indices of the two sets most like one of `size` pieces, the nearest first, none of which is less alike than `least`.
   * @param pieces those of its pieces that any of the sets has
   */
  of(pieces: Int32Array, size: number, least: number): number[] {
    this.turn += 1;
    const rarest = pieces.toSorted((a, b) => this.holding(a) - this.holding(b) || a - b);
    for (const piece of rarest) this.marks[piece] = this.turn;
    const best = new Best(least);
    if (!this.first(rarest, size, best)) this.rest(rarest, size, best);
    return best.at;
  }
}

/** The gate's seed: the same drawings in every run, so that a red gate is red again. */
export const GATE_SEED = 20_260_718;

/** Whether this run proves everything at full depth; else it is the gate, complete in meaning and small in number. */
export const proof = process.env.DEPTH === 'proof';

/** What all drawings of this run begin with; the proof prints the one that it drew and takes it back with --seed. */
export const seed = Number(process.env.SEED ?? GATE_SEED);

/** How many, how long, how deep: little in the gate, much in the proof. */
export function depth(gate: number, full: number): number {
  return proof ? full : gate;
}

/** Numbers from 0 up to 1 by the run's seed, always the same for a name: times to kill at, and other luck. */
export function luck(name: string): () => number {
  let state = [...name].reduce((sum, letter) => (Math.imul(sum, 31) + letter.charCodeAt(0)) | 0, seed);
  return () => {
    // Marsaglia's xorshift; a state of nought would stay one.
    state ||= 1;
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

/**
 * Of many things of one kind the part whose turn it is by the seed, one in so many; all of them in the proof. `from` has
 * another part taken in another place.
 */
export function inTurn<T>(things: readonly T[], one: number, from = 0): T[] {
  return proof ? [...things] : things.filter((_, index) => (index + seed + from) % one === 0);
}

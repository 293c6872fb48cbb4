/** What of a line a scanner may read, in upper case. */
export interface CodedLine {
  codes: readonly string[];
  /** Pieces that were picked, and how many of them lie in boxes. */
  picked: number;
  boxed: number;
}

/** A code as lines are looked up by. */
export const plainCode = (code: string): string => code.trim().toUpperCase();

/**
 * The line that a scanned code means: of several with the same code (an ASIN or a local SKU under two MSKUs) the first that
 * still misses pieces. Undefined where it is the code of none.
 */
export function meantLine<L extends CodedLine>(lines: readonly L[], code: string): L | undefined {
  const wanted = plainCode(code);
  const mine = lines.filter((line) => line.codes.includes(wanted));
  return mine.find((line) => line.boxed < line.picked) ?? mine[0];
}

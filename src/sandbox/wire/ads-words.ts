/** How the older advertising calls write what the newer ones write in capitals. */

/** "NEGATIVE_EXACT" as "negativeExact". */
export function humped(words: string): string {
  return words.toLowerCase().replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase());
}

/** "ENABLED" as "enabled". */
export function small(word: string): string {
  return word.toLowerCase();
}

/** A number exactly as its digits are written: ids are longer than a binary number keeps. */
export function exactJson(digits: string): unknown {
  return (JSON as unknown as { rawJSON: (text: string) => unknown }).rawJSON(digits);
}

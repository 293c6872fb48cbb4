/** What remains of an MSKU when spelling is left aside, and how many pieces it says one of it has. */
export interface Core {
  core: string;
  qty: number;
  /** What was cut off, as it stands in the MSKU; empty where only case, blanks and separators differ. */
  cut: string[];
}

/** Graded resale of returned pieces: Amazon makes these listings itself, they are no product of the seller's. */
const REFUSED = /^amzn\.gr\./i;

/** Ways of dispatch, sites and conditions that sellers hang on to a code. */
const WORDS =
  /^(?:fba|fbm|mfn|afn|new|amz|amazon|us|ca|mx|br|uk|gb|de|fr|it|es|nl|be|ie|se|pl|tr|ae|sa|eg|in|za|jp|au|sg|eu|na)$/i;

const PIECES = /^(?:(\d{1,3})(?:pcs?|pk|packs?|sets?)|(?:pack|set|x)(\d{1,3}))$/i;

/** Letters and digits of a code in lower case: what is left where case and separators do not count. */
export const bare = (code: string): string => code.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/** Whether nothing may be suggested for an MSKU. */
export const refusesSuggestions = (msku: string): boolean => REFUSED.test(msku);

/** "3pcs" → 3; undefined where a word says nothing of pieces. */
function piecesOf(word: string): number | undefined {
  const [, before, after] = PIECES.exec(word) ?? [];
  const count = Number(before ?? after);
  return count > 0 ? count : undefined;
}

/** What a word at either end of a code is worth: 1 for one that only says where it is sold, the pieces of a pack. */
const worthOf = (word: string): number | undefined => (WORDS.test(word) ? 1 : piecesOf(word));

/**
 * What an MSKU may mean, the least changed first: as it is, then with one after the other of the known words cut off its ends
 * ("CUP-1-FBA-US", "PACK3_CUP-1"). The words of packs say how many pieces there are. Two letters or digits remain at least.
 */
export function coresOf(msku: string): Core[] {
  if (refusesSuggestions(msku)) return [];
  const found: Core[] = [];
  let words = msku
    .trim()
    .split(/[-_. /]+/)
    .filter((word) => word !== '');
  let qty = 1;
  let cut: string[] = [];
  for (;;) {
    const core = bare(words.join(''));
    if (core.length < 2) return found;
    if (!found.some((one) => one.core === core)) found.push({ core, qty, cut });
    const last = words.at(-1) ?? '';
    const first = words[0] ?? '';
    const atEnd = words.length > 1 ? worthOf(last) : undefined;
    const atStart = words.length > 1 ? worthOf(first) : undefined;
    const worth = atEnd ?? atStart;
    if (worth === undefined) return found;
    words = atEnd === undefined ? words.slice(1) : words.slice(0, -1);
    cut = [...cut, atEnd === undefined ? first : last];
    qty *= worth;
  }
}

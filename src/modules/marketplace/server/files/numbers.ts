import { FileRefused, shown } from './refusal.ts';

/** Which mark separates the decimals; the other one may group thousands. */
export type DecimalStyle = 'point' | 'comma';

const PLAIN = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;
const POINT = /^([+-]?)(\d+|\d{1,3}(?:,\d{2,3})*,\d{3}|)(?:\.(\d*))?$/;
const COMMA = /^([+-]?)(\d+|\d{1,3}(?:\.\d{2,3})*\.\d{3}|)(?:,(\d*))?$/;

/**
 * An amount in a given style as a canonical decimal string ("-1234.50": no grouping, no plus, no leading zeros, decimals
 * as written, no negative zero); undefined when the text is no number in that style. Never passes through a float.
 */
export function parseDecimal(text: string, style: DecimalStyle): string | undefined {
  if (style === 'point' && PLAIN.test(text) && (text.charCodeAt(0) !== 45 || /[1-9]/.test(text))) return text;
  const match = (style === 'point' ? POINT : COMMA).exec(tidy(text));
  if (!match) return undefined;
  const [, sign, whole = '', fraction = ''] = match;
  if (whole === '' && fraction === '') return undefined;
  const integer = whole.replace(/[.,]/g, '').replace(/^0+(?=\d)/, '') || '0';
  const value = fraction === '' ? integer : `${integer}.${fraction}`;
  return sign === '-' && /[1-9]/.test(value) ? `-${value}` : value;
}

/** Trailing blanks, blanks that group thousands (French files), apostrophes (Swiss ones) and the typographic minus. */
function tidy(text: string): string {
  return text
    .trim()
    .replace(/[\u2212\u2012\u2013\uff0d]/g, '-')
    .replace(/(?<=\d)[\u0020\u00a0\u2009\u202f'’](?=\d{3})/g, '')
    .replace(/^([+-])\s+/, '$1');
}

/** What one text proves: a style, nothing ('none'), or that it depends on knowledge about the currency ('thousand'). */
type Proof = DecimalStyle | 'none' | 'thousand-point' | 'thousand-comma';

/** `12,50` and `1.234,5` prove the comma, `12.5` the point; `1.234` may be either; `1234` proves nothing. */
function proofOf(text: string): Proof {
  const point = text.lastIndexOf('.');
  const comma = text.lastIndexOf(',');
  if (point < 0 && comma < 0) return 'none';
  if (point >= 0 && comma >= 0) return point > comma ? 'point' : 'comma';
  const at = Math.max(point, comma);
  const mark = point >= 0 ? '.' : ',';
  // A mark that occurs twice groups thousands, so the other one separates the decimals.
  if (text.indexOf(mark) !== at) return mark === '.' ? 'comma' : 'point';
  const value = tidy(text);
  const threeDigits = /^[+-]?[1-9]\d{0,2}[.,]\d{3}$/.test(value);
  if (!threeDigits) return mark === '.' ? 'point' : 'comma';
  return mark === '.' ? 'thousand-point' : 'thousand-comma';
}

/**
 * Collects what the amounts of one file say about its decimal mark. A file has one style; two values that prove opposite
 * styles refuse it, with both lines.
 */
export class DecimalEvidence {
  #line: Partial<Record<DecimalStyle, { line: number; value: string; column: string }>> = {};
  #thousand: Partial<Record<'thousand-point' | 'thousand-comma', number>> = {};

  /** @param scale decimal places of the amount's currency, when known: a third decimal is then a group of thousands */
  see(text: string, line: number, column: string, scale?: number): void {
    if (this.#line.point && !text.includes(',')) return;
    const proof = proofOf(text);
    if (proof === 'none') return;
    if (proof === 'point' || proof === 'comma') this.#line[proof] ??= { line, value: text, column };
    else if (scale !== undefined) this.#thousand[proof] ??= line;
  }

  /** Style proved so far, or undefined. */
  get proved(): DecimalStyle | undefined {
    if (this.#line.comma) return 'comma';
    return this.#line.point ? 'point' : undefined;
  }

  /**
   * @param fallback style of the marketplace, for a file that proves nothing
   * @throws FileRefused CONTRADICTION with the later of the two lines as its place
   */
  decide(fallback: DecimalStyle = 'point'): DecimalStyle {
    const { point, comma } = this.#line;
    if (point && comma) {
      const [first, second] = point.line <= comma.line ? [point, comma] : [comma, point];
      throw new FileRefused(
        'CONTRADICTION',
        `金额写法前后矛盾：第 ${first.line} 行为“${shown(first.value)}”，第 ${second.line} 行为“${shown(second.value)}”，无法判断小数点`,
        { line: second.line, column: second.column, value: second.value },
      );
    }
    if (this.proved) return this.proved;
    // No currency here has three decimals: "1.234" EUR is one thousand two hundred and thirty-four.
    if (this.#thousand['thousand-point'] && !this.#thousand['thousand-comma']) return 'comma';
    if (this.#thousand['thousand-comma'] && !this.#thousand['thousand-point']) return 'point';
    return fallback;
  }
}

/**
 * Parses or refuses.
 * @param scale 0 for currencies without decimals: "1200.00" becomes "1200", "12.5" is refused
 * @returns null for an empty cell
 */
export function decimalCell(
  text: string,
  style: DecimalStyle,
  place: { line: number; column: string },
  scale?: number,
): string | null {
  if (text === '') return null;
  if (text.charCodeAt(0) <= 32 && text.trim() === '') return null;
  const value = parseDecimal(text, style);
  if (value === undefined) {
    throw new FileRefused('NUMBER', `“${shown(text.trim())}”不是有效的金额`, { ...place, value: text });
  }
  if (scale !== 0 || !value.includes('.')) return value;
  const [whole = '', fraction = ''] = value.split('.');
  if (/[1-9]/.test(fraction)) {
    throw new FileRefused('NUMBER', `“${shown(text.trim())}”：该币种没有小数`, { ...place, value: text });
  }
  return whole;
}

/** A whole number ("3", "-1", "2.0", "1,000") as canonical string; null for an empty cell. @throws FileRefused NUMBER */
export function integerCell(text: string, style: DecimalStyle, place: { line: number; column: string }): string | null {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  if (/^(?:0|-?[1-9]\d{0,14})$/.test(trimmed)) return trimmed;
  // "2.0" is two whatever the amounts of the file look like; three zeros ("1.000") may be a group and follow the style.
  const whole = /^([+-]?\d+)[.,]0{1,2}$/.exec(trimmed)?.[1] ?? trimmed;
  const value = parseDecimal(whole, style);
  if (value === undefined || /\.0*[1-9]/.test(value) || value.length > 16) {
    throw new FileRefused('NUMBER', `“${shown(trimmed)}”不是整数`, { ...place, value: text });
  }
  return value.split('.')[0] ?? value;
}

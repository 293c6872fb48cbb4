import { Decimal } from '#kit/contract/decimal.ts';

const DIGITS = '零壹贰叁肆伍陆柒捌玖';
const UNITS = ['', '拾', '佰', '仟'];
const GROUPS = ['', '万', '亿', '万亿'];

/** Four digits in words, e.g. 1005: 壹仟零伍; an empty text for 0. */
function fourDigits(digits: string): string {
  let words = '';
  let zero = false;
  [...digits].forEach((digit, index) => {
    const value = Number(digit);
    if (value === 0) {
      zero = words !== '';
      return;
    }
    words += `${zero ? '零' : ''}${DIGITS[value]}${UNITS[digits.length - 1 - index]}`;
    zero = false;
  });
  return words;
}

/** Whole yuan in words, without the 元. */
function whole(digits: string): string {
  const groups: string[] = [];
  for (let end = digits.length; end > 0; end -= 4) groups.push(digits.slice(Math.max(0, end - 4), end));
  let words = '';
  for (let at = groups.length - 1; at >= 0; at -= 1) {
    const group = groups[at] ?? '';
    const said = fourDigits(group);
    // A group that begins with a zero, or was skipped, is joined by one 零.
    const joined = words !== '' && said !== '' && (group.startsWith('0') || groups[at + 1] === '0000') ? '零' : '';
    if (said !== '') words += `${joined}${said}${GROUPS[at]}`;
  }
  return words;
}

/**
 * An amount in yuan as contracts write it, e.g. 103560.50: 壹拾万叁仟伍佰陆拾元伍角. Two decimals, below 10¹⁶; the rules of
 * the People's Bank for filling in bills: 整 after whole yuan, 零 before 分 where 角 is missing.
 */
export function capitalYuan(amount: string): string {
  const value = new Decimal(amount).toDecimalPlaces(2, Decimal.ROUND_HALF_UP);
  const [digits = '0', cents = '00'] = value.abs().toFixed(2).split('.');
  const [jiao, fen] = [Number(cents[0]), Number(cents[1])];
  const yuan = whole(digits);
  const sign = value.isNegative() && !value.isZero() ? '负' : '';
  if (jiao === 0 && fen === 0) return `${sign}${yuan === '' ? '零' : yuan}元整`;
  const small = `${jiao > 0 ? `${DIGITS[jiao]}角` : yuan === '' ? '' : '零'}${fen > 0 ? `${DIGITS[fen]}分` : ''}`;
  return `${sign}${yuan === '' ? '' : `${yuan}元`}${small}`;
}

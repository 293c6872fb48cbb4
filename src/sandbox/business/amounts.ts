/** Whole minor units and their decimal spelling. Money is never a fraction of a minor unit and never a float. */

/** Decimal places of a currency that the sandbox uses: JPY 0, all others 2. */
function decimalsOf(currency: string): number {
  return currency === 'JPY' ? 0 : 2;
}

/** "-4.50" of -450 USD, "1980" of 1980 JPY. */
export function formatMinor(minor: number, currency: string): string {
  if (decimalsOf(currency) === 0) return String(minor);
  const digits = String(Math.abs(minor)).padStart(3, '0');
  return `${minor < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** Minor units of a spelling made by formatMinor; '' counts as 0. */
export function parseMinor(text: string): number {
  if (text === '') return 0;
  return Number(text.replace('.', ''));
}

/** Minor units of an amount as a seller writes it, "24.9" as well as "24.90". */
export function parseAmount(text: string, currency: string): number {
  const [whole = '0', digits = ''] = text.split('.');
  const places = decimalsOf(currency);
  return Number(whole) * 10 ** places + Number(digits.slice(0, places).padEnd(places, '0') || 0);
}

/** amount · numerator / denominator, half away from zero. Exact while |amount · numerator| < 2^52. */
export function share(amount: number, numerator: number, denominator: number): number {
  const scaled = Math.abs(amount) * numerator;
  const quotient = Math.floor(scaled / denominator);
  const rounded = quotient + ((scaled - quotient * denominator) * 2 >= denominator ? 1 : 0);
  return amount < 0 ? -rounded || 0 : rounded;
}

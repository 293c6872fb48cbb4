/** How files of one Amazon marketplace are usually written; used only where a file itself proves nothing. */
export interface MarketStyle {
  country: string;
  /** IANA zone in which a date without a time is meant. */
  timeZone: string;
  /** Charset of a report whose download response names none. */
  charset: 'utf-8' | 'windows-1252' | 'cp932';
  decimal: 'point' | 'comma';
  dayOrder: 'day-first' | 'month-first';
}

type Entry = [id: string, country: string, timeZone: string];

/** Marketplace ids and home zones as published in the SP-API documentation. */
const ENTRIES: Entry[] = [
  ['ATVPDKIKX0DER', 'US', 'America/Los_Angeles'],
  ['A2EUQ1WTGCTBG2', 'CA', 'America/Los_Angeles'],
  ['A1AM78C64UM0Y8', 'MX', 'America/Los_Angeles'],
  ['A2Q3Y263D00KWC', 'BR', 'America/Sao_Paulo'],
  ['A1F83G8C2ARO7P', 'GB', 'Europe/London'],
  ['A1PA6795UKMFR9', 'DE', 'Europe/Berlin'],
  ['A13V1IB3VIYZZH', 'FR', 'Europe/Paris'],
  ['APJ6JRA9NG5V4', 'IT', 'Europe/Rome'],
  ['A1RKKUPIHCS9HS', 'ES', 'Europe/Madrid'],
  ['A1805IZSGTT6HS', 'NL', 'Europe/Amsterdam'],
  ['A2NODRKZP88ZB9', 'SE', 'Europe/Stockholm'],
  ['A1C3SOZRARQ6R3', 'PL', 'Europe/Warsaw'],
  ['AMEN7PMS3EDWL', 'BE', 'Europe/Brussels'],
  ['A28R8C7NBKEWEA', 'IE', 'Europe/Dublin'],
  ['A33AVAJ2PDY3EV', 'TR', 'Europe/Istanbul'],
  ['A2VIGQ35RCS4UG', 'AE', 'Asia/Dubai'],
  ['A17E79C6D8DWNP', 'SA', 'Asia/Riyadh'],
  ['ARBP9OOSHTCHU', 'EG', 'Africa/Cairo'],
  ['AE08WJ6YKNBMC', 'ZA', 'Africa/Johannesburg'],
  ['A21TJRUUN4KGV', 'IN', 'Asia/Kolkata'],
  ['A1VC38T7YXB528', 'JP', 'Asia/Tokyo'],
  ['A39IBJ37TRP1C6', 'AU', 'Australia/Sydney'],
  ['A19VAU5U5O7RUS', 'SG', 'Asia/Singapore'],
];

const LATIN_1 = new Set('BR MX TR GB DE FR IT ES NL SE PL BE IE'.split(' '));
const COMMA = new Set('DE FR IT ES NL SE PL BE BR TR'.split(' '));

const STYLES = new Map<string, MarketStyle>(
  ENTRIES.map(([id, country, timeZone]) => [
    id,
    {
      country,
      timeZone,
      charset: country === 'JP' ? 'cp932' : LATIN_1.has(country) ? 'windows-1252' : 'utf-8',
      decimal: COMMA.has(country) ? 'comma' : 'point',
      dayOrder: country === 'US' ? 'month-first' : 'day-first',
    },
  ]),
);

/** Style of a marketplace, or undefined for an unknown or missing id. */
export function marketStyle(marketplaceId: string | undefined): MarketStyle | undefined {
  return marketplaceId === undefined ? undefined : STYLES.get(marketplaceId);
}

const ZERO_DECIMALS = new Set(['JPY', 'KRW', 'VND', 'CLP']);
/** Filled as codes turn up: asked once per row, answered from a handful of codes. */
const scales = new Map<string, 0 | 2>();

/** Decimal places of a currency's amounts: 0 for JPY, KRW, VND, CLP, else 2; undefined when the currency is unknown. */
export function currencyScale(currency: string | undefined): 0 | 2 | undefined {
  if (!currency) return undefined;
  const known = scales.get(currency);
  if (known !== undefined) return known;
  const code = currency.trim().toUpperCase();
  if (!/^[A-Z]{3}$/.test(code)) return undefined;
  const scale = ZERO_DECIMALS.has(code) ? 0 : 2;
  if (scales.size < 1000) scales.set(currency, scale);
  return scale;
}

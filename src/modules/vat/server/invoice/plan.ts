import type { Ctx } from '#kit/server/context.ts';
import type { Buyer } from '../../contract/invoices.ts';
import { type Amounts, splitGross, total, withTax } from '../rules/amounts.ts';
import { countryOfNumber } from '../rules/numbers.ts';
import { type Supply, type Treated, type Treatment, treat, treatmentOfAmazon } from '../rules/treat.ts';
import type { Profile } from '../settings/profile.ts';
import { openBuyer } from './buyer.ts';
import type { Invoice, Line } from './row.ts';
import { type Language, languageOf } from './words.ts';

export type PlannedLine = Line & Amounts & { rate: string };

/** A document as it is to be issued, but for its number. */
export interface Planned {
  treatment: Treatment;
  taxCountry: string;
  /** Country of the series: that of the registration that stands on the document. */
  country: string;
  sellerVat: string;
  buyer: Buyer | null;
  language: Language;
  lines: PlannedLine[];
  totals: Amounts;
}

const supplyOf = (row: Invoice, buyer: Buyer | null): Supply => ({
  from: row.from_country,
  to: row.to_country,
  day: row.tax_day,
  business: row.business,
  buyerVat: buyer?.vatNumber ?? '',
});

/** What Amazon reckoned, line by line. */
function byAmazon(lines: readonly Line[]): PlannedLine[] {
  return lines.map((line) => ({
    ...line,
    ...withTax(line.gross, line.amazon_tax ?? '0'),
    rate: line.amazon_rate ?? '0',
  }));
}

const byRate = (lines: readonly Line[], rate: string): PlannedLine[] =>
  lines.map((line) => ({ ...line, ...splitGross(line.gross, rate), rate }));

/** The rate of the goods decides what kind of supply it is; shipping follows them. */
function goodsRate(lines: readonly Line[]): string {
  return lines.find(({ kind }) => kind === 'ITEM')?.amazon_rate ?? lines[0]?.amazon_rate ?? '0';
}

/** Registration that stands on the document: what Amazon names, else the entity's own of the country. */
function registrationOf(
  row: Invoice,
  profile: Profile,
  country: string,
): { country: string; number: string } | undefined {
  const told = row.seller_vat ? countryOfNumber(row.seller_vat) : undefined;
  if (told && row.by_amazon) return { country: told, number: row.seller_vat };
  const own = profile.numbers[country];
  return own ? { country, number: own } : undefined;
}

/** How a document is to be issued, or in Chinese what is missing for it. Writes nothing. */
export function planned(
  ctx: Pick<Ctx, 'runtime'>,
  row: Invoice,
  lines: readonly Line[],
  profile: Profile,
): Planned | { problem: string } {
  if (lines.length === 0) return { problem: '没有明细' };
  const buyer = openBuyer(ctx, row.buyer);
  const supply = supplyOf(row, buyer);
  const treated: (Omit<Treated, 'rate'> & { rate?: string }) | { problem: string } = row.by_amazon
    ? treatmentOfAmazon(supply, profile, goodsRate(lines))
    : treat(supply, profile);
  if ('problem' in treated) return treated;
  const registration = registrationOf(row, profile, treated.sellerCountry);
  if (!registration) return { problem: `开票主体没有 ${treated.sellerCountry} 的VAT号` };
  const done = treated.rate === undefined ? byAmazon(lines) : byRate(lines, treated.rate);
  return {
    treatment: treated.treatment,
    taxCountry: treated.taxCountry,
    country: registration.country,
    sellerVat: registration.number,
    buyer,
    language: languageOf(row.to_country),
    lines: done,
    totals: total(done),
  };
}

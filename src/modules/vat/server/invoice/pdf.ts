import { Decimal, plainDecimal } from '#kit/contract/decimal.ts';
import { sheetPdf } from '#kit/server/pdf/sheet.ts';
import type { Buyer } from '../../contract/invoices.ts';
import { type Amounts, byRate } from '../rules/amounts.ts';
import type { Treatment } from '../rules/treat.ts';
import { type Language, WORDS, type Words } from './words.ts';

/** A document with all that stands on it. */
export interface Paper {
  type: 'INVOICE' | 'CREDIT_NOTE';
  number: string;
  /** Number of the invoice that a credit note takes back. */
  original: string | null;
  language: Language;
  orderId: string;
  /** "yyyy-MM-dd" */
  issuedOn: string;
  suppliedOn: string;
  currency: string;
  seller: { name: string; address: string; vatNumber: string; logo: Buffer | null };
  buyer: Buyer | null;
  treatment: Treatment;
  taxCountry: string;
  /** What Amazon wants to stand on it, in the language of the document. */
  citation: string;
  lines: readonly (Amounts & { kind: string; sku: string; title: string; quantity: number; rate: string })[];
  totals: Amounts;
}

/** As many letters as half a page is wide. */
const HALF_LINE = 46;

/** Lines that fit half a page, broken between words. */
function folded(text: string): string[] {
  return text.split('\n').flatMap((line) => {
    const lines: string[] = [];
    let rest = line.trim();
    while (rest.length > HALF_LINE) {
      const space = rest.lastIndexOf(' ', HALF_LINE);
      const at = space > 0 ? space : HALF_LINE;
      lines.push(rest.slice(0, at).trim());
      rest = rest.slice(at).trim();
    }
    return rest ? [...lines, rest] : lines;
  });
}

function countryName(language: Language, code: string): string {
  return new Intl.DisplayNames([language], { type: 'region' }).of(code) ?? code;
}

const moneyIn = (language: Language, currency: string) => {
  const format = new Intl.NumberFormat(language, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  return (amount: string) => `${format.format(amount as unknown as number)} ${currency}`;
};

const dayIn = (language: Language, day: string): string =>
  new Intl.DateTimeFormat(language, { timeZone: 'UTC', dateStyle: 'medium' }).format(new Date(`${day}T00:00:00Z`));

/** Notes that the law asks for, in the language of the document; Amazon's own words take the place of ours. */
export function notesOf({
  treatment,
  taxCountry,
  citation,
  language,
}: Pick<Paper, 'treatment' | 'taxCountry' | 'citation' | 'language'>): string[] {
  const words = WORDS[language];
  if (citation) return [citation];
  if (treatment === 'REVERSE') return [words.reverse];
  if (treatment === 'EXPORT') return [words.export];
  return treatment === 'OSS' ? [words.oss.replace('{country}', countryName(language, taxCountry))] : [];
}

function buyerLines({ buyer, language }: Paper, words: Words): string[] {
  if (!buyer) return [words.asOriginal];
  const vat = buyer.vatNumber ? [`${words.vatNumber}: ${buyer.vatNumber}`] : [];
  return [buyer.name, ...buyer.address, countryName(language, buyer.country), ...vat].flatMap(folded);
}

function rateLines({ lines, language, currency }: Paper, words: Words): string[] {
  const money = moneyIn(language, currency);
  return byRate(lines).map(({ rate, net, tax, gross }) =>
    words.ofRate
      .replace('{rate}', plainDecimal(rate))
      .replace('{net}', money(net))
      .replace('{tax}', money(tax))
      .replace('{gross}', money(gross)),
  );
}

/** The document as an A4 PDF in the customer's language; amounts of a credit note are below zero. */
export function invoiceSheet(paper: Paper): Buffer {
  const { language, seller, totals, currency } = paper;
  const words = WORDS[language];
  const money = moneyIn(language, currency);
  const titleOf = (line: Paper['lines'][number]): string => {
    if (line.kind === 'SHIPPING') return words.shipping;
    return line.kind === 'GIFT' ? words.gift : `${line.title}\n${line.sku}`.trim();
  };
  return sheetPdf({
    title: paper.type === 'INVOICE' ? words.invoice : words.creditNote,
    company: seller.name,
    ...(seller.logo ? { logo: seller.logo } : {}),
    number: paper.number,
    head: [
      { title: words.issued, value: dayIn(language, paper.issuedOn) },
      { title: words.supplied, value: dayIn(language, paper.suppliedOn) },
      { title: words.orderId, value: paper.orderId },
      ...(paper.original === null ? [] : [{ title: words.original, value: paper.original }]),
    ],
    parties: [
      {
        title: words.seller,
        lines: [...folded(`${seller.name}\n${seller.address}`), `${words.vatNumber}: ${seller.vatNumber}`],
      },
      { title: words.buyer, lines: buyerLines(paper, words) },
    ],
    columns: [
      { title: words.item, share: 220 },
      { title: words.quantity, share: 44, right: true },
      { title: words.net, share: 86, right: true },
      { title: words.rate, share: 48, right: true },
      { title: words.tax, share: 80, right: true },
      { title: words.gross, share: 92, right: true },
    ],
    rows: paper.lines.map((line) => [
      titleOf(line),
      String(line.quantity),
      money(line.net),
      `${new Decimal(line.rate).toFixed()} %`,
      money(line.tax),
      money(line.gross),
    ]),
    totals: [words.total, '', money(totals.net), '', money(totals.tax), money(totals.gross)],
    notes: [...rateLines(paper, words), ...notesOf(paper)],
    english: true,
    foot: (page, pages) => words.page.replace('{n}', String(page)).replace('{all}', String(pages)),
  });
}

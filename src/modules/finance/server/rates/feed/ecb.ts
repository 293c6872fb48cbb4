import { XMLParser } from 'fast-xml-parser';
import { Decimal } from '#kit/contract/decimal.ts';
import type { Published, Publisher } from './quotes.ts';

interface Cube {
  time?: string;
  currency?: string;
  rate?: string;
  Cube?: Cube[];
}

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '',
  removeNSPrefix: true,
  parseAttributeValue: false,
  isArray: (name) => name === 'Cube',
});

const BASE = 'EUR';
const TARGET = 'CNY';
const isRate = (text: string | undefined): text is string =>
  /^\d{1,10}(\.\d{1,10})?$/.test(text ?? '') && /[1-9]/.test(text ?? '');

/** One day: the reference rates of the euro, turned into CNY for one unit of each. */
function dayOf({ time, Cube: quotes = [] }: Cube): Published[] {
  if (!time || !/^\d{4}-\d\d-\d\d$/.test(time)) return [];
  const perEuro = new Map(quotes.flatMap(({ currency, rate }) => (currency && isRate(rate) ? [[currency, rate]] : [])));
  const yuan = perEuro.get(TARGET);
  if (yuan === undefined) return [];
  const rates = new Map([[BASE, new Decimal(yuan).toFixed(10)]]);
  for (const [currency, rate] of perEuro) {
    if (currency !== TARGET) rates.set(currency, new Decimal(yuan).div(rate).toFixed(10));
  }
  return [{ day: time, rates }];
}

/**
 * The euro reference rates of the European Central Bank, as it publishes them about 16:00 in Frankfurt on its business days:
 * one file of the last day, one of ninety days, one since 1999, all of one form. Currencies that it does not quote are missing.
 */
export const ecb: Publisher = {
  title: '欧洲央行',
  read(text) {
    const tree = parser.parse(text) as { Envelope?: { Cube?: Cube[] } };
    const days = (tree.Envelope?.Cube ?? []).flatMap((outer) => (outer.Cube ?? []).flatMap(dayOf));
    if (days.length === 0) throw new Error('不是欧洲央行的参考汇率文件');
    return days;
  },
};

import { Button, DatePicker, Input, Segmented } from 'antd';
import dayjs from 'dayjs';
import { useState } from 'react';
import { call } from '#kit/web/api/index.ts';
import { Money } from '#kit/web/cells/index.ts';
import { adjustTerms, sameTerms, type TermsKind, termsWords } from '../../contract/terms.ts';
import type { ListingRow } from '../../contract.ts';
import { type OfferColumn, OfferDialog } from '../offers/OfferDialog.tsx';
import { byRule, type Days, isRule, type Typed, termsTyped, textOf } from './typed.ts';

const KINDS: { value: TermsKind; label: string }[] = [
  { value: 'sale', label: '促销价' },
  { value: 'b2b', label: 'B2B价' },
  { value: 'tiers', label: 'B2B数量折扣' },
];
const HINTS: Readonly<Record<TermsKind, string>> = {
  sale: '如 10（比售价低 10%）',
  b2b: '如 5（比售价低 5%）',
  tiers: '如 5=5, 10=8（满 5 件低 5%）',
};

const startOf = (rows: readonly ListingRow[], kind: TermsKind): Typed =>
  Object.fromEntries(rows.map((row) => [row.id, textOf(row[kind])]));

const daysOf = (rows: readonly ListingRow[]): Days => {
  const first = rows.find(({ sale }) => sale)?.sale;
  return { from: first?.from ?? '', to: first?.to ?? '' };
};

/** 促销价与B2B价: one part of the offers of many listings; what stays empty is taken away. */
export function TermsDialog({ rows, onClose }: { rows: readonly ListingRow[]; onClose: () => void }) {
  const [kind, setKind] = useState<TermsKind>('sale');
  const [typed, setTyped] = useState(() => startOf(rows, 'sale'));
  const [days, setDays] = useState(() => daysOf(rows));
  const [rule, setRule] = useState('');
  const changes = rows
    .map((row) => ({ id: row.id, seen: row[kind], terms: termsTyped(kind, typed[row.id] ?? '', days) }))
    .filter(({ seen, terms }) => !sameShape(seen, terms));
  const pick = (next: TermsKind) => {
    setKind(next);
    setTyped(startOf(rows, next));
    setRule('');
  };
  const columns: OfferColumn[] = [
    { title: '售价', className: 'right num', cell: (row) => <Money amount={row.price} currency={row.currency} /> },
    { title: '现在', cell: (row) => (row[kind] === null ? '—' : termsWords(row[kind], row.currency)) },
    {
      title: '修改为',
      className: 'offer-wish',
      cell: (row) => (
        <Input
          size="small"
          aria-label={`${row.sellerSku} 修改为`}
          value={typed[row.id] ?? ''}
          placeholder={kind === 'tiers' ? '如 5=18.99, 10=17.99' : '留空为取消'}
          onChange={(event) => setTyped((old) => ({ ...old, [row.id]: event.target.value }))}
        />
      ),
    },
  ];
  return (
    <OfferDialog
      title="促销价与B2B价"
      rows={rows}
      columns={columns}
      count={changes.length}
      about={kind}
      head={<Segmented aria-label="价格类型" options={KINDS} value={kind} onChange={pick} />}
      rule={
        <>
          <Input
            aria-label="折扣"
            className="offer-share"
            value={rule}
            placeholder={HINTS[kind]}
            onChange={(event) => setRule(event.target.value.trim())}
          />
          <Button
            disabled={!isRule(kind, rule)}
            onClick={() => setTyped(Object.fromEntries(rows.map((row) => [row.id, byRule(kind, row, rule)])))}
          >
            填入全部
          </Button>
          {kind === 'sale' && (
            <DatePicker.RangePicker
              aria-label="促销日期"
              value={days.from && days.to ? [dayjs(days.from), dayjs(days.to)] : null}
              onChange={(_, [from, to]) => setDays({ from, to })}
            />
          )}
        </>
      }
      note={['促销日期按站点时间计算。每个商品单独提交，只修改这一项，进度见', '。']}
      send={(reason) => call(adjustTerms, { body: { kind, changes, reason } }, { quiet: true })}
      onClose={onClose}
    />
  );
}

/** Whether what is typed is what is there; what cannot be read as a price is not. */
function sameShape(seen: ListingRow['sale'], terms: ListingRow['sale']): boolean {
  try {
    return sameTerms(seen, terms);
  } catch {
    return false;
  }
}

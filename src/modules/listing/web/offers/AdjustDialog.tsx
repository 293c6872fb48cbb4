import { Button, Input, Select } from 'antd';
import { useState } from 'react';
import { currencyScale, Decimal, round } from '#kit/contract/decimal.ts';
import { call } from '#kit/web/api/index.ts';
import { Money, Trend } from '#kit/web/cells/index.ts';
import { adjustOffers } from '../../contract/offers.ts';
import type { ListingRow } from '../../contract.ts';
import { type OfferColumn, OfferDialog } from './OfferDialog.tsx';

type Typed = Readonly<Record<string, { price: string; quantity: string }>>;
type Rule = 'set' | 'percent' | 'add';

const RULES = [
  { value: 'percent', label: '按比例 %' },
  { value: 'add', label: '加减金额' },
  { value: 'set', label: '统一设为' },
];
const NUMBER = /^-?\d+(\.\d+)?$/;

/** A price by the rule, in whole units of its currency; the old one where it would not be more than nothing. */
function priced(row: ListingRow, rule: Rule, by: string): string {
  if (row.price === null || !NUMBER.test(by)) return row.price ?? '';
  const old = new Decimal(row.price);
  const raw =
    rule === 'set' ? new Decimal(by) : rule === 'add' ? old.plus(by) : old.times(new Decimal(by).div(100).plus(1));
  return raw.greaterThan(0) ? round(raw, currencyScale(row.currency)) : row.price;
}

const startOf = (rows: readonly ListingRow[]): Typed =>
  Object.fromEntries(
    rows.map((row) => [
      row.id,
      {
        price: row.price === null ? '' : round(row.pendingPrice ?? row.price, currencyScale(row.currency)),
        quantity: row.fulfilledBy === 'MERCHANT' ? String(row.pendingQuantity ?? row.quantity ?? '') : '',
      },
    ]),
  );

const differs = (typed: string, now: string | number | null) =>
  typed !== '' && (now === null || !NUMBER.test(typed) || !new Decimal(typed).equals(now));

interface Change {
  id: string;
  price?: string;
  quantity?: number;
}

function changesOf(rows: readonly ListingRow[], typed: Typed): Change[] {
  return rows.flatMap((row) => {
    const { price = '', quantity = '' } = typed[row.id] ?? {};
    const change = {
      id: row.id,
      ...(differs(price, row.pendingPrice ?? row.price) ? { price } : {}),
      ...(differs(quantity, row.pendingQuantity ?? row.quantity) ? { quantity: Number(quantity) } : {}),
    };
    return 'price' in change || 'quantity' in change ? [change] : [];
  });
}

interface Props {
  rows: readonly ListingRow[];
  onClose: () => void;
}

/** 批量调价: new prices, and new quantities of what the merchant ships, beside the old ones; one rule fills all of them. */
export function AdjustDialog({ rows, onClose }: Props) {
  const [typed, setTyped] = useState(() => startOf(rows));
  const [rule, setRule] = useState<Rule>('percent');
  const [by, setBy] = useState('');
  const changes = changesOf(rows, typed);
  const put = (id: string, key: 'price' | 'quantity', value: string) =>
    setTyped((old) => ({ ...old, [id]: { ...(old[id] ?? { price: '', quantity: '' }), [key]: value } }));
  const fill = () =>
    setTyped((old) =>
      Object.fromEntries(
        rows.map((row) => [row.id, { quantity: old[row.id]?.quantity ?? '', price: priced(row, rule, by) }]),
      ),
    );

  const columns: OfferColumn[] = [
    {
      title: '现价',
      className: 'right num',
      cell: ({ price, currency }) => <Money amount={price} currency={currency} />,
    },
    {
      title: '新售价',
      cell: (row) => (
        <PriceCell row={row} typed={typed[row.id]?.price ?? ''} onPut={(value) => put(row.id, 'price', value)} />
      ),
    },
    { title: '库存', className: 'right num', cell: ({ quantity }) => quantity ?? '—' },
    {
      title: '新库存',
      cell: ({ id, sellerSku, fulfilledBy }) =>
        fulfilledBy === 'MERCHANT' ? (
          <Input
            size="small"
            aria-label={`${sellerSku} 新库存`}
            value={typed[id]?.quantity ?? ''}
            onChange={(event) => put(id, 'quantity', event.target.value.replace(/\D/g, ''))}
          />
        ) : (
          <span className="text3">FBA</span>
        ),
    },
  ];
  return (
    <OfferDialog
      title="批量调价与改库存"
      rows={rows}
      columns={columns}
      count={changes.length}
      rule={
        <>
          <Select aria-label="调价方式" value={rule} options={RULES} onChange={setRule} />
          <Input
            aria-label="数值"
            value={by}
            placeholder={rule === 'percent' ? '如 -5' : rule === 'add' ? '如 0.5' : '如 19.99'}
            onChange={(event) => setBy(event.target.value.trim())}
            onPressEnter={fill}
          />
          <Button disabled={!NUMBER.test(by)} onClick={fill}>
            填入全部售价
          </Button>
        </>
      }
      note={['修改以数据提交的方式发给亚马逊，进度见', '。FBA 商品的库存由亚马逊管理。']}
      send={(reason, confirmed) => call(adjustOffers, { body: { changes, reason, confirmed } }, { quiet: true })}
      onClose={onClose}
    />
  );
}

interface PriceProps {
  row: ListingRow;
  typed: string;
  onPut: (value: string) => void;
}

/** The new price and by how much it differs from that of now. */
function PriceCell({ row: { price, sellerSku }, typed, onPut }: PriceProps) {
  if (price === null) return <span className="text3">没有售价</span>;
  const change =
    NUMBER.test(typed) && new Decimal(price).greaterThan(0) ? new Decimal(typed).div(price).minus(1) : undefined;
  return (
    <span className="offer-price">
      <Input
        size="small"
        aria-label={`${sellerSku} 新售价`}
        value={typed}
        onChange={(event) => onPut(event.target.value.trim())}
      />
      <span className="offer-change">{change && !change.isZero() && <Trend change={change.toFixed()} />}</span>
    </span>
  );
}

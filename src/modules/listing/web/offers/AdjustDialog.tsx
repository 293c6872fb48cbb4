import { Button, Input, Modal, Select } from 'antd';
import { useState } from 'react';
import { currencyScale, Decimal, round } from '#kit/contract/decimal.ts';
import { ApiError, call } from '#kit/web/api/index.ts';
import { Money, Picture, StoreName, Trend } from '#kit/web/cells/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { TabLink } from '#kit/web/tabs/TabLink.tsx';
import { adjustOffers, BIG_CHANGE } from '../../contract/offers.ts';
import type { ListingRow } from '../../contract.ts';
import { refreshOffers } from './refresh.ts';
import './offers.css';

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
  const [reason, setReason] = useState('');
  const [busy, setBusy] = useState(false);
  const [problems, setProblems] = useState<readonly string[]>([]);
  const changes = changesOf(rows, typed);
  const put = (id: string, key: 'price' | 'quantity', value: string) =>
    setTyped((old) => ({ ...old, [id]: { ...(old[id] ?? { price: '', quantity: '' }), [key]: value } }));
  const fill = () =>
    setTyped((old) =>
      Object.fromEntries(
        rows.map((row) => [row.id, { quantity: old[row.id]?.quantity ?? '', price: priced(row, rule, by) }]),
      ),
    );

  const send = async (confirmed: boolean): Promise<void> => {
    setBusy(true);
    setProblems([]);
    try {
      const done = await call(adjustOffers, { body: { changes, reason, confirmed } }, { quiet: true });
      if (done.changes > 0) notice.success(`已提交 ${done.changes} 项修改，亚马逊确认后生效`);
      if (done.requests > 0) notice.success(`${done.requests} 个商品低于保本价，已提交审批`);
      await refreshOffers();
      onClose();
    } catch (error) {
      if (error instanceof ApiError && error.reason === BIG_CHANGE) {
        Modal.confirm({ title: '调价幅度较大', content: error.message, okText: '确认调价', onOk: () => send(true) });
      } else if (error instanceof ApiError) {
        setProblems(error.fields.length > 0 ? error.fields.map(({ msg }) => msg) : [error.message]);
      }
    } finally {
      setBusy(false);
    }
  };

  return (
    <Modal
      title={`批量调价与改库存 · ${rows.length} 个商品`}
      open
      width={860}
      okText={changes.length > 0 ? `提交 ${changes.length} 个商品` : '提交'}
      okButtonProps={{ disabled: changes.length === 0 }}
      confirmLoading={busy}
      onOk={() => void send(false)}
      onCancel={onClose}
      mask={{ closable: changes.length === 0 }}
    >
      <div className="offer-rule">
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
        <Input
          aria-label="说明"
          className="offer-reason"
          value={reason}
          maxLength={200}
          placeholder="说明（低于保本价时必填）"
          onChange={(event) => setReason(event.target.value)}
        />
      </div>
      {problems.length > 0 && (
        <ul className="note is-danger offer-problems" role="alert">
          {problems.slice(0, 8).map((problem) => (
            <li key={problem}>{problem}</li>
          ))}
          {problems.length > 8 && <li>…共 {problems.length} 个问题</li>}
        </ul>
      )}
      <div className="offer-table">
        <table>
          <thead>
            <tr>
              <th>商品</th>
              <th>店铺</th>
              <th className="right">现价</th>
              <th>新售价</th>
              <th className="right">库存</th>
              <th>新库存</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <OfferLine key={row.id} row={row} typed={typed[row.id] ?? { price: '', quantity: '' }} onPut={put} />
            ))}
          </tbody>
        </table>
      </div>
      <p className="text3 offer-note">
        修改以数据提交的方式发给亚马逊，进度见
        <TabLink to="/amazon/sale/priceadjust" title="调价队列">
          调价队列
        </TabLink>
        。FBA 商品的库存由亚马逊管理。
      </p>
    </Modal>
  );
}

interface LineProps {
  row: ListingRow;
  typed: { price: string; quantity: string };
  onPut: (id: string, key: 'price' | 'quantity', value: string) => void;
}

function OfferLine({ row, typed, onPut }: LineProps) {
  const { id, price, currency, quantity } = row;
  const change =
    price !== null && NUMBER.test(typed.price) && new Decimal(price).greaterThan(0)
      ? new Decimal(typed.price).div(price).minus(1)
      : undefined;
  return (
    <tr>
      <td>
        <span className="offer-product">
          <Picture src={row.product.image} size={28} />
          <span>
            <span className="offer-name">{row.product.name}</span>
            <span className="code text3">{row.sellerSku}</span>
          </span>
        </span>
      </td>
      <td>
        <StoreName store={row.store} />
      </td>
      <td className="right num">{price === null ? '—' : <Money amount={price} currency={currency} />}</td>
      <td>
        {price === null ? (
          <span className="text3">没有售价</span>
        ) : (
          <span className="offer-price">
            <Input
              size="small"
              aria-label={`${row.sellerSku} 新售价`}
              value={typed.price}
              onChange={(event) => onPut(id, 'price', event.target.value.trim())}
            />
            <span className="offer-change">{change && !change.isZero() && <Trend change={change.toFixed()} />}</span>
          </span>
        )}
      </td>
      <td className="right num">{quantity ?? '—'}</td>
      <td>
        {row.fulfilledBy === 'MERCHANT' ? (
          <Input
            size="small"
            aria-label={`${row.sellerSku} 新库存`}
            value={typed.quantity}
            onChange={(event) => onPut(id, 'quantity', event.target.value.replace(/\D/g, ''))}
          />
        ) : (
          <span className="text3">FBA</span>
        )}
      </td>
    </tr>
  );
}

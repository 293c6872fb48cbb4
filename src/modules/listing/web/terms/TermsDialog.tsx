import { Button, DatePicker, Input, Modal, Segmented } from 'antd';
import dayjs from 'dayjs';
import { useState } from 'react';
import { ApiError, call } from '#kit/web/api/index.ts';
import { Money, Picture, StoreName } from '#kit/web/cells/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { TabLink } from '#kit/web/tabs/TabLink.tsx';
import { adjustTerms, sameTerms, type TermsKind, termsWords } from '../../contract/terms.ts';
import type { ListingRow } from '../../contract.ts';
import { refreshOffers } from '../offers/refresh.ts';
import '../offers/offers.css';
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
  const [reason, setReason] = useState('');
  const [busy, setBusy] = useState(false);
  const [problems, setProblems] = useState<readonly string[]>([]);
  const changes = rows
    .map((row) => ({ id: row.id, seen: row[kind], terms: termsTyped(kind, typed[row.id] ?? '', days) }))
    .filter(({ seen, terms }) => !sameShape(seen, terms));
  const pick = (next: TermsKind) => {
    setKind(next);
    setTyped(startOf(rows, next));
    setRule('');
    setProblems([]);
  };
  const send = async (): Promise<void> => {
    setBusy(true);
    setProblems([]);
    try {
      const done = await call(adjustTerms, { body: { kind, changes, reason } }, { quiet: true });
      if (done.changes > 0) notice.success(`已提交 ${done.changes} 项修改，亚马逊确认后生效`);
      if (done.requests > 0) notice.success(`${done.requests} 个商品低于保本价，已提交审批`);
      await refreshOffers();
      onClose();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setProblems(error.fields.length > 0 ? error.fields.map(({ msg }) => msg) : [error.message]);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Modal
      title={`促销价与B2B价 · ${rows.length} 个商品`}
      open
      width={860}
      okText={changes.length > 0 ? `提交 ${changes.length} 个商品` : '提交'}
      okButtonProps={{ disabled: changes.length === 0 }}
      confirmLoading={busy}
      onOk={() => void send()}
      onCancel={onClose}
      mask={{ closable: changes.length === 0 }}
    >
      <Segmented aria-label="价格类型" options={KINDS} value={kind} onChange={pick} />
      <div className="offer-rule">
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
              <th className="right">售价</th>
              <th>现在</th>
              <th>修改为</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.id}>
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
                <td className="right num">
                  <Money amount={row.price} currency={row.currency} />
                </td>
                <td>{row[kind] === null ? '—' : termsWords(row[kind], row.currency)}</td>
                <td className="offer-wish">
                  <Input
                    size="small"
                    aria-label={`${row.sellerSku} 修改为`}
                    value={typed[row.id] ?? ''}
                    placeholder={kind === 'tiers' ? '如 5=18.99, 10=17.99' : '留空为取消'}
                    onChange={(event) => setTyped((old) => ({ ...old, [row.id]: event.target.value }))}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className="text3 offer-note">
        促销日期按站点时间计算。每个商品单独提交，只修改这一项，进度见
        <TabLink to="/amazon/sale/priceadjust" title="调价队列">
          调价队列
        </TabLink>
        。
      </p>
    </Modal>
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

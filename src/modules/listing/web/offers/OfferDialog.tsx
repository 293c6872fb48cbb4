import { Input, Modal } from 'antd';
import { type ReactNode, useState } from 'react';
import { ApiError } from '#kit/web/api/index.ts';
import { Picture, StoreName } from '#kit/web/cells/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { TabLink } from '#kit/web/tabs/TabLink.tsx';
import { BIG_CHANGE } from '../../contract/offers.ts';
import type { ListingRow } from '../../contract.ts';
import { refreshOffers } from './refresh.ts';
import './offers.css';

/** A column behind product and store. */
export interface OfferColumn {
  title: string;
  className?: string;
  cell: (row: ListingRow) => ReactNode;
}

interface Props {
  title: string;
  rows: readonly ListingRow[];
  columns: readonly OfferColumn[];
  /** How many of the rows would change. */
  count: number;
  /** What is changed of them; problems of something else are not shown any more. */
  about?: string;
  /** Stands above the line of the rule. */
  head?: ReactNode;
  /** What fills all rows at once. */
  rule: ReactNode;
  /** What happens with the change, in front of and behind the link to its progress. */
  note: readonly [before: string, after: string];
  send: (reason: string, confirmed: boolean) => Promise<{ changes: number; requests: number }>;
  onClose: () => void;
}

const SHOWN = 8;

/** Offers of many listings with what they shall become, one reason for all of them, and what is wrong with which. */
export function OfferDialog({ title, rows, columns, count, about = '', head, rule, note, send, onClose }: Props) {
  const [reason, setReason] = useState('');
  const [busy, setBusy] = useState(false);
  const [wrong, setWrong] = useState<{ about: string; problems: readonly string[] }>();
  const problems = wrong?.about === about ? wrong.problems : [];
  const submit = async (confirmed: boolean): Promise<void> => {
    setBusy(true);
    setWrong(undefined);
    try {
      const done = await send(reason, confirmed);
      if (done.changes > 0) notice.success(`已提交 ${done.changes} 项修改，亚马逊确认后生效`);
      if (done.requests > 0) notice.success(`${done.requests} 个商品低于保本价，已提交审批`);
      await refreshOffers();
      onClose();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.reason === BIG_CHANGE) {
        Modal.confirm({ title: '调价幅度较大', content: error.message, okText: '确认调价', onOk: () => submit(true) });
      } else {
        setWrong({ about, problems: error.fields.length > 0 ? error.fields.map(({ msg }) => msg) : [error.message] });
      }
    } finally {
      setBusy(false);
    }
  };
  return (
    <Modal
      title={`${title} · ${rows.length} 个商品`}
      open
      width={860}
      okText={count > 0 ? `提交 ${count} 个商品` : '提交'}
      okButtonProps={{ disabled: count === 0 }}
      confirmLoading={busy}
      onOk={() => void submit(false)}
      onCancel={onClose}
      mask={{ closable: count === 0 }}
    >
      {head}
      <div className="offer-rule">
        {rule}
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
          {problems.slice(0, SHOWN).map((problem) => (
            <li key={problem}>{problem}</li>
          ))}
          {problems.length > SHOWN && <li>…共 {problems.length} 个问题</li>}
        </ul>
      )}
      <OfferTable rows={rows} columns={columns} />
      <p className="text3 offer-note">
        {note[0]}
        <TabLink to="/amazon/sale/priceadjust" title="调价队列">
          调价队列
        </TabLink>
        {note[1]}
      </p>
    </Modal>
  );
}

function OfferTable({ rows, columns }: Pick<Props, 'rows' | 'columns'>) {
  return (
    <div className="offer-table">
      <table>
        <thead>
          <tr>
            <th>商品</th>
            <th>店铺</th>
            {columns.map(({ title, className }) => (
              <th key={title} className={className}>
                {title}
              </th>
            ))}
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
              {columns.map(({ title, className, cell }) => (
                <td key={title} className={className}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

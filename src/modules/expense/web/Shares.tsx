import { Button } from 'antd';
import { type ReactNode, useState } from 'react';
import { Decimal } from '#kit/contract/decimal.ts';
import { call } from '#kit/web/api/index.ts';
import { Money } from '#kit/web/cells/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { ShareDialog } from '#modules/costshare/web/index.ts';
import { shareExpense } from '../contract/calls.ts';
import type { Scope } from '../contract/document.ts';
import { type DraftShare, draftShare, totalOf } from './draft.ts';
import { ShareRows } from './ShareRows.tsx';

interface Props {
  scope: Exclude<Scope, 'COMPANY'>;
  shares: readonly DraftShare[];
  /** Of the lines; null while one is no number. */
  total: string | null;
  currency: string;
  day: string;
  /** How the parts are typed. */
  mode: ReactNode;
  byAmount: boolean;
  onChange: (shares: DraftShare[]) => void;
  onShared: (shares: DraftShare[]) => void;
}

/** 归属明细 with its sum against the amount, and 按规则分摊 for what stores bear. */
export function Shares({ scope, shares, total, currency, day, mode, byAmount, onChange, onShared }: Props) {
  const [sharing, setSharing] = useState<{ amount: string; currency: string; from: string; to: string }>();
  const parts = totalOf(shares.map(({ amount }) => amount));
  const open = parts === null || total === null ? null : new Decimal(total).minus(parts);
  const share = () => {
    if (!total || !/[1-9]/.test(total) || day === '') return void notice.error('请先填写金额和费用日期');
    const first = `${day.slice(0, 7)}-01`;
    setSharing({ amount: total, currency, from: first, to: day });
  };
  return (
    <>
      <div className="expense-bar">
        <strong>归属明细</strong>
        {mode}
        {scope === 'SKU' && (
          <Button size="small" onClick={share}>
            按规则分摊
          </Button>
        )}
        <span className="label">
          分摊合计 <Money amount={parts} currency={currency} />
        </span>
        {open && !open.isZero() && (
          <span className="label" role="status">
            还差 <Money amount={open.toFixed()} currency={currency} />
          </span>
        )}
      </div>
      <ShareRows scope={scope} shares={shares} currency={currency} byAmount={byAmount} onChange={onChange} />
      {sharing && (
        <ShareDialog
          cost={sharing}
          ask={(body) => call(shareExpense, { body }, { quiet: true })}
          onShared={(rows) => onShared(rows.map((row) => draftShare(row)))}
          onClose={() => setSharing(undefined)}
        />
      )}
    </>
  );
}

import { Modal } from 'antd';
import { useState } from 'react';
import { Decimal } from '#kit/contract/decimal.ts';
import { formatMoney, formatPercent } from '#kit/contract/format.ts';
import { TabLink } from '#kit/web/tabs/TabLink.tsx';
import type { PeriodRow } from '../contract/period.ts';

interface Props {
  row: PeriodRow;
  /** Open months before it are closed with it. */
  earlier: boolean;
  onSend: () => Promise<unknown>;
  onClose: () => void;
}

/** What is unfinished in a month, and whether to close it all the same. */
export function CloseDialog({ row, earlier, onSend, onClose }: Props) {
  const [failure, setFailure] = useState<string>();
  const [busy, setBusy] = useState(false);
  const { month, missingCosts, missingRates, unmapped, settledShare } = row;
  const unsettled = settledShare !== null && new Decimal(settledShare).lt(1);
  const isUnmapped = unmapped !== null && !new Decimal(unmapped).isZero();
  const isClean = missingCosts === 0 && missingRates === '' && !isUnmapped && !unsettled;
  const send = () => {
    setBusy(true);
    onSend().then(onClose, (error: unknown) => {
      setFailure(error instanceof Error ? error.message : '没有关账');
      setBusy(false);
    });
  };
  return (
    <Modal
      open
      title={`关账 ${month}`}
      okText="关账"
      cancelText="返回"
      confirmLoading={busy}
      okButtonProps={{ disabled: missingRates !== '' }}
      onOk={send}
      onCancel={onClose}
    >
      <ul className="period-checks" aria-label="关账检查">
        {missingRates !== '' && (
          <li className="danger">
            缺少 {missingRates} 汇率，不能关账{' '}
            <TabLink to="/finance/exchangeRate" title="汇率与关账">
              去维护
            </TabLink>
          </li>
        )}
        {missingCosts > 0 && (
          <li className="warning">
            {missingCosts} 个 SKU 缺少采购成本，毛利润偏高{' '}
            <TabLink to="/product/cost" title="采购成本" query={{ 'f.state': 'missing' }}>
              去补录
            </TabLink>
          </li>
        )}
        {isUnmapped && <li className="warning">待归类费用 {formatMoney(unmapped, 'CNY')}</li>}
        {unsettled && (
          <li className="warning">已结算 {formatPercent(settledShare, 0)}，其余为预估，结算后的差额入账到下月</li>
        )}
        {isClean && <li>检查通过：成本、汇率、归类与结算均已齐全</li>}
        {earlier && <li>此前未关账的月份一并关账</li>}
      </ul>
      {failure && (
        <p className="danger" role="alert">
          {failure}
        </p>
      )}
    </Modal>
  );
}

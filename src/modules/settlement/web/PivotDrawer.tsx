import { Select } from 'antd';
import { useState } from 'react';
import { Decimal, ratio, sum } from '#kit/contract/decimal.ts';
import { formatInteger } from '#kit/contract/format.ts';
import { useCall } from '#kit/web/api/index.ts';
import { Money, Percent } from '#kit/web/cells/index.ts';
import { DetailDrawer } from '#kit/web/drawer/DetailDrawer.tsx';
import type { FilterValue } from '#kit/web/list/index.ts';
import { Proof } from '#kit/web/proof/Proof.tsx';
import { ErrorState } from '#kit/web/states/index.ts';
import { SECTIONS } from '../contract/fees.ts';
import { summarySettlements } from '../contract/settlements.ts';

interface Props {
  open: boolean;
  onClose: () => void;
  filter: FilterValue;
}

/** 汇总: transaction type by fee over all settlements of the filter, one currency at a time. */
export function PivotDrawer({ open, onClose, filter }: Props) {
  const [chosen, setChosen] = useState<string>();
  const { data, isError, error, refetch } = useCall(
    summarySettlements,
    { body: { filter } },
    { enabled: open, keep: true },
  );
  const currencies =
    data?.cards.filter((card) => !new Decimal(card.settled).isZero()).map((card) => card.currency) ?? [];
  const currency = chosen && currencies.includes(chosen) ? chosen : (currencies[0] ?? 'USD');
  const rows = data?.pivot.filter((row) => row.currency === currency) ?? [];
  const sales = sum(rows.filter((row) => row.feeCode === 'PRINCIPAL').map((row) => row.amount));
  const settled = data?.cards.find((card) => card.currency === currency)?.settled ?? '0';
  return (
    <DetailDrawer
      open={open}
      onClose={onClose}
      title="结算汇总"
      subtitle="筛选结果内全部账期，按交易类型与费用类型"
      extra={
        currencies.length > 1 && (
          <Select
            size="small"
            aria-label="币种"
            value={currency}
            options={currencies.map((value) => ({ value, label: value }))}
            onChange={setChosen}
          />
        )
      }
      foot={
        <Proof total={settled} lines={rows.map((row) => row.amount)} currency={currency} text="汇总与结算总额一致" />
      }
    >
      {isError ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <div className="line-table is-dense">
          <table aria-label="结算汇总">
            <thead>
              <tr>
                <th>交易类型</th>
                <th>费用类型</th>
                <th>类别</th>
                <th className="is-right">金额</th>
                <th className="is-right">占销售额</th>
                <th className="is-right">行数</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={`${row.transactionType} ${row.feeCode}`}>
                  <td>{row.transactionType}</td>
                  <td>{row.feeTitle}</td>
                  <td className="text3">{SECTIONS[row.section]}</td>
                  <td className="is-right">
                    <Money amount={row.amount} currency={currency} />
                  </td>
                  <td className="is-right">
                    <Percent value={ratio(row.amount, sales)} />
                  </td>
                  <td className="is-right num">{formatInteger(row.lines)}</td>
                </tr>
              ))}
            </tbody>
          </table>
          {rows.length === 0 && <div className="line-table-none">筛选结果内没有结算</div>}
        </div>
      )}
    </DetailDrawer>
  );
}

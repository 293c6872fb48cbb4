import { LeftOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useCall } from '#kit/web/api/index.ts';
import { ErrorState } from '#kit/web/states/index.ts';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import { MoneyLineRow } from '#modules/settlement/contract/settlements.ts';
import { REFERENCE_COLUMN } from '#modules/settlement/web/index.ts';
import type { LateRow } from '../contract/late.ts';
import { drillProfit } from '../contract/report.ts';
import { Costs } from './Costs.tsx';
import { Fees } from './Fees.tsx';

const SHOWN = ['postedAt', 'transactionType', 'amountDescription', 'reference', 'sku', 'quantity', 'amount'] as const;

/** All that one figure of a SKU's day is made of by now: what came late is among it. */
export function LateLines({ row, onBack }: { row: LateRow; onBack: () => void }) {
  const { day, sku, storeKey, figure, currency } = row;
  const inOwn = figure !== 'cogs' && figure !== 'fees';
  const { data, isError, error, refetch } = useCall(drillProfit, {
    body: {
      pagesize: 100,
      filter: {
        date: { from: day, to: day },
        basis: 'BELONG',
        stores: [storeKey],
        currency: 'ORIGINAL',
        day,
        sku,
        storeKey,
        figure,
        rowCurrency: inOwn ? currency : null,
      },
    },
  });
  if (isError) return <ErrorState error={error} onRetry={() => void refetch()} />;
  return (
    <section className="late-lines">
      <h3>
        <Button size="small" icon={<LeftOutlined />} onClick={onBack}>
          返回
        </Button>
        {row.title} · {row.product.code} · {day} 现有的全部明细
      </h3>
      {data && figure === 'cogs' && <Costs costs={data.costs} />}
      {data && figure === 'fees' && <Fees fees={data.fees} />}
      {inOwn && (
        <LineTable
          label="现有明细"
          row={MoneyLineRow}
          rows={data?.lines.records}
          rowId={({ key }) => key}
          only={SHOWN}
          columns={{ reference: REFERENCE_COLUMN, amount: { pinned: 'right' } }}
          none="没有费用行"
        />
      )}
    </section>
  );
}

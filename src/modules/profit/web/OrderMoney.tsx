import './profit.css';
import { formatPercent } from '#kit/contract/format.ts';
import { useCall } from '#kit/web/api/index.ts';
import { type Figure, FigureLine } from '#kit/web/cards/Figures.tsx';
import { Money } from '#kit/web/cells/index.ts';
import { Proof } from '#kit/web/proof/Proof.tsx';
import { Empty, ErrorState } from '#kit/web/states/index.ts';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import { OrderMoneyLine, OrderProfitRow, orderProfit, RARE_AMOUNTS } from '../contract/order.ts';

const FIGURES = [
  'state',
  'sales',
  'promotion',
  'refund',
  'commission',
  'refundFee',
  'fba',
  'otherFee',
  'reimbursement',
  'tax',
  'unmapped',
] as const satisfies readonly (keyof OrderProfitRow)[];

const LINES = [
  'postedDate',
  'transactionType',
  'feeTitle',
  'amountDescription',
  'sku',
  'quantity',
  'stage',
  'amount',
] as const satisfies readonly (keyof OrderMoneyLine)[];

const isZero = (amount: string | null) => amount === null || !/[1-9]/.test(amount);
/** Amounts that most orders do not have are shown where some row has them. */
const RARE: readonly string[] = RARE_AMOUNTS;

const amount = (row: OrderProfitRow, value: string | null | undefined) => (
  <Money amount={value ?? null} currency={row.currency} />
);

/** What is left of an order: fields that the reader may not see are not there. */
function figuresOf(row: OrderProfitRow): Figure[] {
  return [
    { key: 'net', label: '到账净额', value: amount(row, row.net) },
    ...(row.profit === undefined
      ? []
      : [
          { key: 'cogs', label: '采购成本', value: amount(row, row.cogs) },
          { key: 'profit', label: '毛利润', value: amount(row, row.profit) },
          { key: 'margin', label: '毛利率', value: formatPercent(row.margin) },
        ]),
    { key: 'ordered', label: '订单商品金额', value: amount(row, row.ordered) },
    { key: 'gap', label: '对账差额', value: amount(row, row.gap) },
  ];
}

/** The money of one order: its amounts in each store, whether its lines come to them, and the lines themselves. */
export default function OrderMoney({ id }: { id: string }) {
  const { data, isError, error, refetch } = useCall(orderProfit, { params: { id } });
  if (isError) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return null;
  if (data.lines.length === 0) {
    return <Empty title="还没有收支" text="亚马逊发货后一两天内记账；结算与账务交易同步后自动计算。" />;
  }
  const shown = FIGURES.filter(
    (key) => !RARE.includes(key) || data.rows.some((row) => !isZero(row[key] as string | null)),
  );
  return (
    <div className="order-money">
      {data.rows.map((row) => (
        <FigureLine key={row.id} figures={figuresOf(row)} />
      ))}
      <LineTable label="订单利润" row={OrderProfitRow} rows={data.rows} only={['store', ...shown]} none="正在计算" />
      {data.rows.map((row) => (
        <div className="order-money-proof" key={row.id}>
          <Proof
            total={row.net ?? '0'}
            lines={data.lines.filter((line) => line.row === row.id).map((line) => line.amount)}
            currency={row.currency}
            text="收支明细合计与到账净额一致"
            off="收支明细合计与到账净额不一致，正在重新计算"
          />
        </div>
      ))}
      <LineTable label="收支明细" row={OrderMoneyLine} rows={data.lines} rowId={(line) => line.key} only={LINES} />
    </div>
  );
}

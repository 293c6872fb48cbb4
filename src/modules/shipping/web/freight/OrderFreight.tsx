import { Button } from 'antd';
import { Allowed } from '#kit/web/Allowed.tsx';
import { useCall, useSend } from '#kit/web/api/index.ts';
import { Money, State } from '#kit/web/cells/index.ts';
import type { ColumnOverrides } from '#kit/web/grid/columns.ts';
import { notice } from '#kit/web/notice.tsx';
import { ErrorState } from '#kit/web/states/index.ts';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import { TabLink } from '#kit/web/tabs/TabLink.tsx';
import { freightBill } from '../../contract/freight/bill.ts';
import { FREIGHT_ADD, MatchState } from '../../contract/freight/fields.ts';
import { estimateFreight, FreightFeeRow, OrderChargeRow, orderFreight } from '../../contract/freight/report.ts';
import type { ShipRow } from '../../contract/order.ts';
import { refreshShip } from '../choices.ts';
import { refreshFreight } from './shared.ts';
import '../transport/transport.css';

const CHARGES: ColumnOverrides<OrderChargeRow> = {
  bill: {
    render: (row) =>
      row.billId ? (
        <TabLink to={freightBill.detail} title={row.bill} query={{ id: row.billId }}>
          {row.bill}
        </TabLink>
      ) : (
        row.bill
      ),
    text: (row) => row.bill,
  },
};
const LINES = ['product', 'local', 'qty', 'billable', 'state', 'estimated', 'fee', 'unitFee'] as const;

/** 费用 of a ship order: what its freight was expected to be, what is billed, and what went to each line. */
export function OrderFreight({ order }: { order: ShipRow }) {
  const { data, isError, error, refetch } = useCall(orderFreight, { params: { id: order.id } }, { staleTime: 0 });
  const again = useSend(estimateFreight, {
    onSuccess: async ({ message }) => {
      notice.success(message);
      await Promise.all([refreshFreight(), refreshShip()]);
    },
  });
  if (isError) return <ErrorState error={error} onRetry={() => void refetch()} text="头程费用没有取到。" />;
  return (
    <>
      <section className="trans-section" aria-label="费用明细">
        <div className="trans-head">
          <h2>费用</h2>
          {data && <State value={data.match} states={MatchState.meta()?.states} />}
          {data && (
            <span className="label">
              预估 <Money amount={data.expectedTotal} currency="CNY" />
              ，已入账 <Money amount={data.billedTotal} currency="CNY" />
              （不含关税）{data.why && `；${data.why}`}
            </span>
          )}
          <span className="spring" />
          <Allowed code={FREIGHT_ADD}>
            <Button
              size="small"
              loading={again.isPending}
              onClick={() => again.mutate({ body: { id: order.id, version: order.version } })}
            >
              重算预估
            </Button>
          </Allowed>
        </div>
        <LineTable row={OrderChargeRow} rows={data?.charges} columns={CHARGES} label="费用" none="还没有费用" />
      </section>
      <section className="trans-section" aria-label="明细分摊">
        <div className="trans-head">
          <h2>分摊到明细</h2>
        </div>
        <LineTable
          row={FreightFeeRow}
          rows={data?.lines}
          only={LINES}
          density="picture"
          label="分摊到明细"
          none="还没有分摊"
        />
      </section>
    </>
  );
}

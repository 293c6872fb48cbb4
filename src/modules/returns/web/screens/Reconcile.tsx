import { mixedTotal } from '#kit/web/cells/index.ts';
import { ListScreen } from '#kit/web/list/index.ts';
import { TabLink } from '#kit/web/tabs/TabLink.tsx';
import { nothingYet } from '#modules/inventory/web/index.ts';
import { useSiteOptions } from '#modules/listing/web/index.ts';
import { countReconciled, RETURN_DAYS, ReconcileFilter, ReconcileRow, reconciled } from '../../contract/reconcile.ts';
import { ORDER_COLUMN } from '../links.tsx';

const COLUMNS = {
  orderId: ORDER_COLUMN,
  paid: { total: mixedTotal('paid') },
  refund: { total: mixedTotal('refund') },
  over: { total: mixedTotal('over') },
  claim: {
    render: (row: ReconcileRow) =>
      row.claimId === null ? (
        <span className="text3">—</span>
      ) : (
        <TabLink to="/amazon/report/claims/details" title={row.claim ?? ''} query={{ id: row.claimId }}>
          {row.claim}
        </TabLink>
      ),
    text: (row: ReconcileRow) => row.claim ?? '',
  },
};

/** 退款对账: what was refunded beside what came back, by order and SKU. */
export default function Reconcile() {
  const sites = useSiteOptions();
  return (
    <ListScreen
      name="returns/reconcile"
      title="退款对账"
      unit="笔"
      endpoint={reconciled.list}
      exportEndpoint={reconciled.export}
      row={ReconcileRow}
      filter={ReconcileFilter}
      options={{ sites }}
      tabs={{ field: 'state', counts: countReconciled }}
      columns={COLUMNS}
      note={`未选日期时为最近 90 天；退款满 ${RETURN_DAYS} 天未退回为退款未退货`}
      empty={nothingYet('退款与退货')}
    />
  );
}

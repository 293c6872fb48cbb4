import { useState } from 'react';
import type { ColumnOverrides } from '#kit/web/grid/columns.ts';
import { ListScreen } from '#kit/web/list/index.ts';
import { useAllowed } from '#kit/web/session.ts';
import { Empty } from '#kit/web/states/index.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import { TabLink } from '#kit/web/tabs/TabLink.tsx';
import { EXPORT, OVER_RECEIVE } from '../../contract/fields.ts';
import { purchaseOrder } from '../../contract/order.ts';
import { countSurplus, exportSurplus, listSurplus, SurplusFilter, SurplusRow } from '../../contract/surplus.ts';
import { placesOf, toOptions, usePurchaseChoices } from '../choices.ts';
import { DecideDialog } from '../surplus/DecideDialog.tsx';

const COLUMNS: ColumnOverrides<SurplusRow> = {
  order: {
    render: (row) => (
      <TabLink to={purchaseOrder.detail} title={row.order} query={{ id: row.orderId }}>
        {row.order}
      </TabLink>
    ),
    text: (row) => row.order,
  },
};

/** 超收处理: what came beyond what may come, and what of it waits for a decision. */
export default function SurplusList() {
  const tab = useTab();
  const choices = usePurchaseChoices();
  const [deciding, setDeciding] = useState<SurplusRow>();
  const mayExport = useAllowed(EXPORT);
  const mayDecide = useAllowed(OVER_RECEIVE);
  const open = (row: SurplusRow) => tab.open(purchaseOrder.detail, { title: row.order, query: { id: row.orderId } });
  return (
    <>
      <ListScreen
        name="purchase/surplus"
        title="超收处理"
        unit="单"
        endpoint={listSurplus}
        {...(mayExport ? { exportEndpoint: exportSurplus } : {})}
        row={SurplusRow}
        filter={SurplusFilter}
        options={{ supplier: toOptions(choices?.suppliers), warehouse: placesOf(choices, 'GOOD') }}
        tabs={{ field: 'state', counts: countSurplus }}
        columns={COLUMNS}
        onOpen={open}
        actions={(row) => [
          ...(mayDecide && row.state === 'held' ? [{ label: '处理', onClick: () => setDeciding(row) }] : []),
          { label: '采购单', onClick: () => open(row) },
        ]}
        empty={<Empty title="没有超收" text="到货超出允收数量时，在登记到货中选择处理方式；暂存待定的货在这里处理。" />}
      />
      {deciding && <DecideDialog surplus={deciding} onClose={() => setDeciding(undefined)} />}
    </>
  );
}

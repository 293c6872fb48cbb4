import type { ColumnOverrides } from '#kit/web/grid/columns.ts';
import { ListScreen } from '#kit/web/list/index.ts';
import { Empty } from '#kit/web/states/index.ts';
import { TabLink } from '#kit/web/tabs/TabLink.tsx';
import { purchaseOrder } from '../../contract/order.ts';
import { DetailFilter, DetailRow, exportDetail, purchaseDetail } from '../../contract/report.ts';
import { placesOf, toOptions, usePurchaseChoices } from '../choices.ts';

const COLUMNS: ColumnOverrides<DetailRow> = {
  order: {
    render: (row) => (
      <TabLink to={purchaseOrder.detail} title={row.order} query={{ id: row.orderId }}>
        {row.order}
      </TabLink>
    ),
    text: (row) => row.order,
  },
};

/** 采购明细: every line that was ordered, what came of it and how long it took. */
export default function DetailReport() {
  const choices = usePurchaseChoices();
  return (
    <ListScreen
      name="purchase/detail"
      title="采购明细"
      unit="行"
      endpoint={purchaseDetail}
      exportEndpoint={exportDetail}
      row={DetailRow}
      filter={DetailFilter}
      options={{ supplier: toOptions(choices?.suppliers), warehouse: placesOf(choices, 'GOOD') }}
      columns={COLUMNS}
      empty={<Empty title="还没有采购明细" text="采购单下单后逐行显示到货、退货、应付和交货天数。" />}
    />
  );
}

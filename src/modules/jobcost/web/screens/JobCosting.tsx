import { useMemo, useState } from 'react';
import { dayAfter } from '#kit/contract/day.ts';
import { useCall } from '#kit/web/api/index.ts';
import { companyDay } from '#kit/web/day.ts';
import type { ColumnOverrides } from '#kit/web/grid/columns.ts';
import { ListScreen } from '#kit/web/list/index.ts';
import { useAllowed } from '#kit/web/session.ts';
import { Empty } from '#kit/web/states/index.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import { TabLink } from '#kit/web/tabs/TabLink.tsx';
import { useSiteOptions } from '#modules/listing/web/index.ts';
import { shipOrder } from '#modules/shipping/contract/order.ts';
import { BatchRow, batchChoices, countBatches, exportBatches, listBatches } from '../../contract/batches.ts';
import { BatchFilter, COST, DETAIL, EDIT, EXPORT } from '../../contract/fields.ts';
import { CostDialog, FreightDialog } from '../dialogs.tsx';

const COLUMNS: ColumnOverrides<BatchRow> = {
  number: {
    render: (row) => (
      <TabLink to={shipOrder.detail} title={row.number} query={{ id: row.orderId }}>
        {row.number}
      </TabLink>
    ),
    text: (row) => row.number,
  },
};

/** 批次成本: what each SKU of each shipment to Amazon cost, and how much of it is left. */
export default function JobCosting() {
  const tab = useTab();
  const mayExport = useAllowed(EXPORT);
  const mayEdit = useAllowed(EDIT);
  const seesCost = useAllowed(COST);
  const [dialog, setDialog] = useState<{ kind: 'cost' | 'freight'; row: BatchRow }>();
  const stores = useSiteOptions();
  const owners = useCall(batchChoices, {}, { staleTime: 300_000 }).data?.owners;
  const options = useMemo(() => ({ stores, owners }), [stores, owners]);
  const defaults = useMemo(() => ({ shipped: { from: dayAfter(companyDay(), -90) } }), []);
  const close = () => setDialog(undefined);
  const openBatch = (row: BatchRow) => tab.open(DETAIL, { title: `批次 ${row.msku}`, query: { id: row.id } });
  return (
    <>
      <ListScreen
        name="jobcost/batches"
        title="批次成本"
        unit="批"
        endpoint={listBatches}
        {...(mayExport ? { exportEndpoint: exportBatches } : {})}
        row={BatchRow}
        filter={BatchFilter}
        defaults={defaults}
        tabs={{ field: 'state', counts: countBatches }}
        options={options}
        columns={COLUMNS}
        onOpen={openBatch}
        actions={(row) => [
          { label: '扣减明细', onClick: () => openBatch(row) },
          ...(mayEdit && seesCost
            ? [
                { label: '修改成本', onClick: () => setDialog({ kind: 'cost', row }) },
                { label: '重算运费', onClick: () => setDialog({ kind: 'freight', row }) },
              ]
            : []),
        ]}
        head={
          <TabLink to="/erp/inventory/report/base" title="库存报表">
            添加期初批次
          </TabLink>
        }
        note="总成本 = 已扣成本 + 剩余成本 + 成本差异"
        empty={<Empty title="还没有批次" text="发货单出库后，每个平台SKU是一个批次；期初库存在库存报表导入。" />}
      />
      {dialog?.kind === 'cost' && <CostDialog row={dialog.row} onClose={close} />}
      {dialog?.kind === 'freight' && <FreightDialog row={dialog.row} onClose={close} />}
    </>
  );
}

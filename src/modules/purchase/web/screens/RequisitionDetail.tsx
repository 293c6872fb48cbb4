import { formatInteger } from '#kit/contract/format.ts';
import { call, useCall } from '#kit/web/api/index.ts';
import type { Figure } from '#kit/web/cards/Figures.tsx';
import { Money } from '#kit/web/cells/index.ts';
import { DocumentScreen, type DocumentTab, Stream, stepsOf } from '#kit/web/document/index.ts';
import type { ColumnOverrides } from '#kit/web/grid/columns.ts';
import { notice } from '#kit/web/notice.tsx';
import { allows, usePermissions } from '#kit/web/session.ts';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import { useTab } from '#kit/web/tabs/scope.ts';
import { TabLink } from '#kit/web/tabs/TabLink.tsx';
import { PRICE } from '../../contract/fields.ts';
import { purchaseOrder } from '../../contract/order.ts';
import { processOrder } from '../../contract/process.ts';
import {
  RequisitionLineRow,
  type RequisitionRow,
  type RequisitionStep,
  requisition,
  requisitionDetail,
  requisitionSteps,
} from '../../contract/requisition.ts';
import { refreshOrders } from '../choices.ts';
import { refreshProcesses } from '../process/choices.ts';

const WAY = ['draft', 'pending', 'converted'];

const COLUMNS: ColumnOverrides<RequisitionLineRow> = {
  result: {
    render: (row) =>
      row.result ? (
        <TabLink
          to={row.orderId ? purchaseOrder.detail : processOrder.detail}
          title={row.result}
          query={{ id: row.orderId ?? row.processId ?? '' }}
        >
          {row.result}
        </TabLink>
      ) : null,
    text: (row) => row.result ?? '',
  },
};

function figuresOf(plan: RequisitionRow, prices: boolean): Figure[] {
  return [
    { key: 'products', label: 'SKU数', value: formatInteger(plan.products) },
    { key: 'qty', label: '采购数量', value: formatInteger(plan.qty) },
    { key: 'made', label: '组装数量', value: formatInteger(plan.made) },
    ...(prices ? [{ key: 'amount', label: '预估金额', value: <Money amount={plan.amount} currency="CNY" /> }] : []),
  ];
}

/** 采购计划详情: what is bought and made, who approves it, and the orders that came of it. */
export default function RequisitionDetail() {
  const tab = useTab();
  const permissions = usePermissions();
  const id = new URLSearchParams(tab.address.split('?')[1]).get('id') ?? '';
  const { data, error, refetch } = useCall(requisitionDetail, { params: { id } }, { staleTime: 0 });
  const plan = data?.plan;
  const refresh = async () => {
    await refreshOrders();
    await refreshProcesses();
  };
  const run = async (name: string, reason?: string) => {
    const body = { id, ...(plan ? { version: plan.version } : {}), ...(reason ? { reason } : {}) };
    const done = await call(requisitionSteps[name as RequisitionStep], { body }, {});
    notice.success(done.message);
    await refresh();
  };
  const tabs: DocumentTab[] = [
    {
      key: 'lines',
      title: '明细',
      ...(data ? { count: data.lines.length } : {}),
      content: (
        <LineTable row={RequisitionLineRow} rows={data?.lines} columns={COLUMNS} density="picture" label="明细" />
      ),
    },
  ];
  return (
    <DocumentScreen
      number={plan?.number}
      state={plan && requisition.states[plan.state]}
      subject={plan && `${plan.createdByName} 提交`}
      steps={plan ? stepsOf(requisition, WAY, plan.state) : []}
      figures={plan && figuresOf(plan, allows(permissions, PRICE))}
      error={error}
      onRetry={() => void refetch()}
      tabs={tabs}
      side={
        <Stream
          events={data?.timeline.map((entry) => ({
            id: entry.id,
            kind: entry.kind === 'transition' ? 'done' : 'note',
            who: entry.actorName,
            title: entry.title,
            at: entry.at,
            text: entry.body,
          }))}
        />
      }
      actions={data?.actions ?? []}
      onAction={run}
      approval={plan && { def: requisition, id, onChanged: () => void refresh() }}
    />
  );
}

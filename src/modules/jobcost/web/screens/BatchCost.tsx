import { Button } from 'antd';
import { useState } from 'react';
import { metaOf } from '#kit/contract/columns.ts';
import { formatMoney } from '#kit/contract/format.ts';
import { useCall } from '#kit/web/api/index.ts';
import { Money } from '#kit/web/cells/index.ts';
import { DocumentScreen, FactColumns, Facts } from '#kit/web/document/index.ts';
import { useAllowed } from '#kit/web/session.ts';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import { useTab } from '#kit/web/tabs/scope.ts';
import { TabLink } from '#kit/web/tabs/TabLink.tsx';
import { shipOrder } from '#modules/shipping/contract/order.ts';
import { batchData, ChangeRow, IssueRow, LayerRow, OriginRow } from '../../contract/batch.ts';
import type { BatchRow } from '../../contract/batches.ts';
import { BatchState, COST, EDIT } from '../../contract/fields.ts';
import { DocumentCell } from '../DocumentCell.tsx';
import { CostDialog, FreightDialog } from '../dialogs.tsx';

const LINKED = { number: { render: DocumentCell } };
const yuan = (amount: string | null | undefined) => (amount == null ? '—' : <Money amount={amount} currency="CNY" />);

function Costs({
  batch,
  freight,
}: {
  batch: BatchRow;
  freight: { estimated: string | null; billed: string | null } | null;
}) {
  const billed = freight?.billed ?? null;
  return (
    <Facts
      title="成本"
      money
      facts={[
        { label: '采购成本', value: yuan(batch.purchase) },
        { label: '头程成本', value: yuan(batch.firstLeg) },
        { label: '其他', value: yuan(batch.other) },
        { label: '总成本', value: yuan(batch.cost), strong: true },
        {
          label: '头程账单',
          value:
            billed !== null
              ? formatMoney(billed, 'CNY')
              : freight?.estimated
                ? `未结，预估 ${formatMoney(freight.estimated, 'CNY')}（未计入成本）`
                : '未结',
        },
      ]}
    />
  );
}

function Pieces({ batch }: { batch: BatchRow }) {
  return (
    <Facts
      title="批次"
      facts={[
        {
          label: '发货单',
          value: (
            <TabLink to={shipOrder.detail} title={batch.number} query={{ id: batch.orderId }}>
              {batch.number}
            </TabLink>
          ),
        },
        { label: '货件号', value: batch.shipmentNos || '—' },
        { label: '店铺', value: batch.store.name },
        { label: '发货 / 接收', value: `${batch.shippedOn} / ${batch.receivedOn ?? '—'}` },
        { label: '差异', value: `${batch.gap} 件${batch.gap === 0 ? '' : batch.closed ? '，已结案' : '，等待接收'}` },
      ]}
    />
  );
}

/** 批次成本详情: the layers of a batch, what was taken from them and what changed their cost. */
export default function BatchCost() {
  const tab = useTab();
  const id = new URLSearchParams(tab.address.split('?')[1]).get('id') ?? '';
  const { data, error, refetch } = useCall(batchData, { params: { id } }, { staleTime: 0 });
  const seesCost = useAllowed(COST);
  const mayEdit = useAllowed(EDIT) && seesCost;
  const [dialog, setDialog] = useState<'cost' | 'freight'>();
  const batch = data?.batch;
  const close = () => setDialog(undefined);
  const figures = batch && [
    { key: 'shipped', label: '发出', value: String(batch.shipped) },
    { key: 'received', label: '接收', value: String(batch.received) },
    { key: 'issued', label: '扣除', value: String(batch.issued) },
    { key: 'left', label: '剩余', value: String(batch.left) },
    ...(seesCost
      ? [
          { key: 'issuedCost', label: '已扣成本', value: yuan(batch.issuedCost) },
          { key: 'leftCost', label: '剩余成本', value: yuan(batch.leftCost) },
          { key: 'variance', label: '成本差异', value: yuan(batch.variance) },
        ]
      : []),
  ];
  return (
    <>
      <DocumentScreen
        number={batch?.msku}
        state={batch && metaOf(BatchState).states?.[batch.state]}
        subject={batch?.product.name}
        figures={figures}
        error={error}
        onRetry={() => void refetch()}
        head={
          mayEdit &&
          batch && (
            <>
              <Button onClick={() => setDialog('freight')}>重算运费</Button>
              <Button data-edit onClick={() => setDialog('cost')}>
                修改成本
              </Button>
            </>
          )
        }
        tabs={[
          {
            key: 'issues',
            title: '扣减明细',
            ...(data ? { count: data.issues.length } : {}),
            content: (
              <>
                {batch && data && (
                  <FactColumns>
                    <Pieces batch={batch} />
                    {seesCost && <Costs batch={batch} freight={data.freight} />}
                  </FactColumns>
                )}
                <LineTable label="扣减明细" row={IssueRow} rows={data?.issues} columns={LINKED} none="还没有扣减" />
              </>
            ),
          },
          {
            key: 'origins',
            title: '来源层',
            ...(data ? { count: data.origins.length } : {}),
            content: <LineTable label="来源层" row={OriginRow} rows={data?.origins} columns={LINKED} none="没有来源" />,
          },
          {
            key: 'layers',
            title: '成本层',
            ...(data ? { count: data.layers.length } : {}),
            content: <LineTable label="成本层" row={LayerRow} rows={data?.layers} columns={LINKED} none="没有成本层" />,
          },
          ...(seesCost
            ? [
                {
                  key: 'changes',
                  title: '成本变动',
                  ...(data ? { count: data.changes.length } : {}),
                  content: (
                    <LineTable
                      label="成本变动"
                      row={ChangeRow}
                      rows={data?.changes}
                      columns={LINKED}
                      none="成本没有变动过"
                    />
                  ),
                },
              ]
            : []),
        ]}
      />
      {batch && dialog === 'cost' && <CostDialog row={batch} onClose={close} />}
      {batch && dialog === 'freight' && <FreightDialog row={batch} onClose={close} />}
    </>
  );
}

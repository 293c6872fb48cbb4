import { SettingOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useState } from 'react';
import { Decimal } from '#kit/contract/decimal.ts';
import { Allowed } from '#kit/web/Allowed.tsx';
import { ApiError, call, messageOf } from '#kit/web/api/index.ts';
import { ProgressBar } from '#kit/web/cells/index.ts';
import type { ColumnOverrides } from '#kit/web/grid/columns.ts';
import type { RowAction } from '#kit/web/grid/RowActions.tsx';
import { type FileCheck, ImportDialog } from '#kit/web/import/index.ts';
import { type BatchAction, ListScreen } from '#kit/web/list/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { allows, useAllowed, usePermissions } from '#kit/web/session.ts';
import { Empty } from '#kit/web/states/index.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import { TabLink } from '#kit/web/tabs/TabLink.tsx';
import { EDIT, EXPORT } from '../../contract/fields.ts';
import { OrderFilter, OrderRow, purchaseOrder } from '../../contract/order.ts';
import { countOrders, exportOrders, listOrders, type OrderStep, orderSteps } from '../../contract/order-calls.ts';
import { placesOf, refreshOrders, toOptions, usePurchaseChoices } from '../choices.ts';
import { MergeDialog } from '../order/MergeDialog.tsx';
import { SplitDialog } from '../order/SplitDialog.tsx';
import { check, commit, template } from '../order-import.ts';
import { SettingDialog } from '../SettingDialog.tsx';

const DETAIL = purchaseOrder.detail;

const progress = (share: string | null, label: string) =>
  share === null ? null : <ProgressBar percent={new Decimal(share).times(100).toNumber()} label={label} />;

const COLUMNS: ColumnOverrides<OrderRow> = {
  number: {
    render: (row) => (
      <TabLink to={DETAIL} title={row.number} query={{ id: row.id }}>
        {row.number}
      </TabLink>
    ),
    text: (row) => row.number,
  },
  receivedShare: { render: (row) => progress(row.receivedShare, '入库进度') },
  paidShare: { render: (row) => progress(row.paidShare, '付款进度') },
};

/** Takes one step with many orders; each says for itself why it could not. */
async function takeAll(step: OrderStep, rows: readonly OrderRow[]): Promise<void> {
  let done = 0;
  const failed: string[] = [];
  for (const row of rows) {
    try {
      await call(orderSteps[step], { body: { id: row.id, version: row.version } }, { quiet: true });
      done += 1;
    } catch (error) {
      failed.push(`${row.number}：${error instanceof ApiError ? messageOf(error) : '没有完成'}`);
    }
  }
  const title = purchaseOrder.transitions[step].title;
  if (done > 0) notice.success(`已${title} ${done} 单`);
  if (failed.length > 0) notice.error(failed.slice(0, 5).join('\n'));
  await refreshOrders();
}

const NEXT: Partial<Record<OrderRow['stage'], OrderStep>> = { draft: 'submit', approved: 'place' };

/** 采购单 */
export default function OrderList() {
  const tab = useTab();
  const permissions = usePermissions();
  const choices = usePurchaseChoices();
  const [settings, setSettings] = useState(false);
  const [importing, setImporting] = useState(false);
  const [opened, setOpened] = useState<{ what: 'split'; id: string } | { what: 'merge'; rows: OrderRow[] }>();
  const mayExport = useAllowed(EXPORT);
  const mayEdit = useAllowed(EDIT);
  const open = (row: OrderRow) => tab.open(DETAIL, { title: row.number, query: { id: row.id } });
  const batch = (['submit', 'approve', 'place'] as const)
    .filter((step) => allows(permissions, orderSteps[step].permission))
    .map((step): BatchAction<OrderRow> => {
      const rule = purchaseOrder.transitions[step];
      const from: readonly string[] = rule.from;
      return {
        label: step === 'approve' ? '审核通过' : rule.title,
        unfit: (row) => (from.includes(row.state) ? undefined : `不能${rule.title}`),
        onClick: (rows) => void takeAll(step, rows),
      };
    });
  const unplaced = (row: OrderRow) =>
    row.state === 'draft' || row.state === 'approved' ? undefined : '下单前才能拆分和合并';
  const parts: BatchAction<OrderRow>[] = [
    {
      label: '拆分',
      unfit: unplaced,
      onClick: (rows) => {
        const [row, another] = rows;
        if (another) notice.warning('一次只能拆分一张采购单');
        else if (row) setOpened({ what: 'split', id: row.id });
      },
    },
    {
      label: '合并',
      unfit: unplaced,
      onClick: (rows) => {
        if (rows.length < 2) notice.warning('请选择至少两张采购单');
        else setOpened({ what: 'merge', rows });
      },
    },
  ];
  const actionsOf = (row: OrderRow): RowAction[] => {
    const next = NEXT[row.stage];
    const step = next && allows(permissions, orderSteps[next].permission) ? next : undefined;
    const word = row.stage === 'pending' ? '审核' : row.stage === 'inspecting' ? '质检' : '查看';
    return [
      ...(step ? [{ label: purchaseOrder.transitions[step].title, onClick: () => void takeAll(step, [row]) }] : []),
      { label: word, onClick: () => open(row) },
      ...(mayEdit && row.state === 'draft'
        ? [
            {
              label: '编辑',
              edits: true,
              onClick: () => tab.open('/e/p/o', { title: `编辑${row.number}`, query: { id: row.id } }),
            },
          ]
        : []),
      ...(mayEdit
        ? [
            {
              label: '复制',
              onClick: () => tab.open('/e/p/o', { title: `复制${row.number}`, query: { copy: row.id } }),
            },
          ]
        : []),
    ];
  };
  const add = (
    <Allowed code={EDIT}>
      <Button type="primary" onClick={() => tab.open('/e/p/o', { title: '新增采购单' })}>
        新增采购单
      </Button>
    </Allowed>
  );
  return (
    <>
      <ListScreen
        name="purchase/orders"
        title="采购单"
        unit="单"
        endpoint={listOrders}
        {...(mayExport ? { exportEndpoint: exportOrders } : {})}
        row={OrderRow}
        filter={OrderFilter}
        options={{ supplier: toOptions(choices?.suppliers), warehouse: placesOf(choices, 'GOOD') }}
        tabs={{ field: 'stage', counts: countOrders }}
        columns={COLUMNS}
        batch={mayEdit ? [...batch, ...parts] : batch}
        onOpen={open}
        actions={actionsOf}
        head={
          <>
            <Button icon={<SettingOutlined />} onClick={() => setSettings(true)}>
              采购设置
            </Button>
            <Allowed code={EDIT}>
              <Button onClick={() => setImporting(true)}>导入</Button>
            </Allowed>
            {add}
          </>
        }
        empty={
          <Empty title="还没有采购单" text="向供应商订货从采购单开始：提交、审核、下单，货到后登记到货和质检。">
            {add}
          </Empty>
        }
      />
      <ImportDialog<FileCheck>
        title="导入采购单"
        open={importing}
        onClose={() => setImporting(false)}
        check={check}
        commit={commit}
        template={template}
        onDone={() => void refreshOrders()}
        accept=".xlsx"
        note="同一供应商、入库仓、币种和分单标识的行合成一张采购单草稿；全部通过才会写入。"
      />
      {opened?.what === 'split' && <SplitDialog orderId={opened.id} onClose={() => setOpened(undefined)} />}
      {opened?.what === 'merge' && (
        <MergeDialog
          rows={opened.rows}
          chosen={opened.rows.map((row) => row.id)}
          onClose={() => setOpened(undefined)}
        />
      )}
      {settings && <SettingDialog onClose={() => setSettings(false)} />}
    </>
  );
}

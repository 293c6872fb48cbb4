import { Button } from 'antd';
import { useState } from 'react';
import { Allowed } from '#kit/web/Allowed.tsx';
import { call } from '#kit/web/api/index.ts';
import { type FileCheck, ImportDialog } from '#kit/web/import/index.ts';
import { type BatchAction, ListScreen } from '#kit/web/list/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { Empty } from '#kit/web/states/index.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import { Transport } from '../../contract/fields.ts';
import {
  clearPlan,
  exportPlan,
  listPlan,
  PLAN_CLEAR,
  PLAN_EDIT,
  PLAN_EXPORT,
  PLAN_SUBMIT,
  PlanFilter,
  type PlanItem,
  PlanRow,
} from '../../contract/plan.ts';
import { toOptions, useShipChoices } from '../choices.ts';
import { BatchDialog } from '../plan/BatchDialog.tsx';
import { ClearDialog } from '../plan/ClearDialog.tsx';
import { itemIds, refreshPlan, sitesOf } from '../plan/choices.ts';
import { DaysDialog } from '../plan/DaysDialog.tsx';
import { PlanDialog } from '../plan/PlanDialog.tsx';
import { PlannedCell } from '../plan/PlannedCell.tsx';
import { planImport } from '../plan/plan-import.ts';
import '../shipping.css';

const DEFAULTS = { pace: 'D30', transport: 'SEA' };
const MODES = ['pace', 'transport'];

type Dialog =
  | { kind: 'days' | 'clear' | 'import' }
  | { kind: 'batch'; rows: PlanRow[] }
  | { kind: 'item'; row: PlanRow; item?: PlanItem | undefined };

const planned = (row: PlanRow) => (row.items.length > 0 ? undefined : '尚未计划');
const suggested = (row: PlanRow) =>
  row.suggested === 0 ? '没有建议量' : row.items.length > 0 ? '已在计划中' : undefined;

/** FBA发货规划: what each listing sells, has and gets, and what is to be sent. */
export default function PlanList() {
  const tab = useTab();
  const choices = useShipChoices();
  const mayEdit = useAllowed(PLAN_EDIT);
  const maySubmit = useAllowed(PLAN_SUBMIT);
  const mayClear = useAllowed(PLAN_CLEAR);
  const mayExport = useAllowed(PLAN_EXPORT);
  const [dialog, setDialog] = useState<Dialog>();
  const close = () => setDialog(undefined);
  // The way that the list reckons with stands in its address.
  const asked = Transport.safeParse(new URLSearchParams(tab.address.split('?')[1]).get('transport'));
  const transport = asked.data ?? 'SEA';
  const submit = (rows: readonly PlanRow[]) =>
    tab.open('/e/s/p', {
      title: '提交发货计划',
      ...(rows.length > 0 ? { query: { ids: itemIds(rows).join(',') } } : {}),
    });
  const remove = async (rows: readonly PlanRow[]) => {
    const { removed } = await call(clearPlan, { body: { ids: itemIds(rows) } }, {});
    notice.success(`已移出 ${removed} 项计划`);
    await refreshPlan();
  };
  const batch: BatchAction<PlanRow>[] = [
    ...(mayEdit
      ? [{ label: '按建议计划', unfit: suggested, onClick: (rows: PlanRow[]) => setDialog({ kind: 'batch', rows }) }]
      : []),
    ...(maySubmit ? [{ label: '提交计划', primary: true, unfit: planned, onClick: submit }] : []),
    ...(mayClear
      ? [
          {
            label: '移出计划',
            danger: true,
            unfit: planned,
            onClick: (rows: PlanRow[]) => void remove(rows).catch(() => undefined),
          },
        ]
      : []),
  ];
  const actions = (row: PlanRow) => {
    const [first, second] = row.items;
    if (!mayEdit) return [];
    return [
      second
        ? { label: '加项', onClick: () => setDialog({ kind: 'item', row }) }
        : { label: first ? '修改' : '计划', edits: true, onClick: () => setDialog({ kind: 'item', row, item: first }) },
      ...row.items.map((item) => ({
        label: second ? `拆分 ${item.warehouse} ${item.qty}` : '拆分',
        onClick: () => tab.open('/e/s/p/e', { title: `拆分 ${row.product.code}`, query: { id: item.id } }),
      })),
    ];
  };
  return (
    <>
      <ListScreen
        name="shipping/plan"
        title="FBA发货规划"
        unit="行"
        endpoint={listPlan}
        {...(mayExport ? { exportEndpoint: exportPlan } : {})}
        row={PlanRow}
        filter={PlanFilter}
        defaults={DEFAULTS}
        modes={MODES}
        options={{ authid: toOptions(choices?.stores), site: sitesOf(choices) }}
        columns={{
          planned: {
            render: (row) => (
              <PlannedCell
                row={row}
                onEdit={mayEdit ? () => setDialog({ kind: 'item', row, item: row.items[0] }) : undefined}
              />
            ),
            text: (row) => String(row.planned ?? ''),
          },
        }}
        batch={batch}
        actions={actions}
        head={
          <>
            <Button onClick={() => setDialog({ kind: 'days' })}>备货周期</Button>
            <Allowed code={PLAN_EDIT}>
              <Button onClick={() => setDialog({ kind: 'import' })}>导入</Button>
            </Allowed>
            <Allowed code={PLAN_CLEAR}>
              <Button onClick={() => setDialog({ kind: 'clear' })}>清空</Button>
            </Allowed>
            <Allowed code={PLAN_SUBMIT}>
              <Button type="primary" onClick={() => submit([])}>
                提交计划
              </Button>
            </Allowed>
          </>
        }
        empty={
          <Empty
            title="还没有由亚马逊配送的商品"
            text="授权店铺并同步在线商品后，这里按销量、FBA库存和在途计算每个平台SKU的建议发货量。"
          />
        }
      />
      <ImportDialog<FileCheck>
        title="导入发货规划"
        open={dialog?.kind === 'import'}
        onClose={close}
        {...planImport}
        onDone={() => void refreshPlan()}
        accept=".xlsx,.csv"
      />
      {dialog?.kind === 'days' && <DaysDialog onClose={close} />}
      {dialog?.kind === 'clear' && <ClearDialog onClose={close} />}
      {dialog?.kind === 'batch' && <BatchDialog rows={dialog.rows} transport={transport} onClose={close} />}
      {dialog?.kind === 'item' && (
        <PlanDialog row={dialog.row} item={dialog.item} transport={transport} onClose={close} />
      )}
    </>
  );
}

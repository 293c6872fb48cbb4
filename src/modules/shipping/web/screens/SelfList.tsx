import { Button } from 'antd';
import { useState } from 'react';
import { formatInteger } from '#kit/contract/format.ts';
import { Allowed } from '#kit/web/Allowed.tsx';
import { useCall } from '#kit/web/api/index.ts';
import { ReasonDialog } from '#kit/web/form/index.ts';
import type { ColumnOverrides } from '#kit/web/grid/columns.ts';
import { type FileCheck, ImportDialog } from '#kit/web/import/index.ts';
import { type BatchAction, ListScreen } from '#kit/web/list/index.ts';
import { useAllowed, usePermissions } from '#kit/web/session.ts';
import { Empty } from '#kit/web/states/index.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import { TabLink } from '#kit/web/tabs/TabLink.tsx';
import { countSelf, exportSelf, listSelf, type SelfBatch } from '../../contract/self/calls.ts';
import { selfDoc } from '../../contract/self/doc.ts';
import { SELF_ADD, SELF_EXPORT, SELF_IMPORT, SELF_LABEL, SELF_VIEW } from '../../contract/self/fields.ts';
import { SelfFilter, SelfRow } from '../../contract/self/rows.ts';
import { countWaiting } from '../../contract/self/waiting.ts';
import { toOptions } from '../choices.ts';
import { Problem } from '../self/cells.tsx';
import {
  buyAll,
  mayBuy,
  OFFLINE_DETAIL,
  OFFLINE_EDIT,
  printLabels,
  printPicks,
  printZpl,
  refreshSelf,
  runBatch,
  useSelfChoices,
} from '../self/shared.ts';
import { check, commit, template } from '../self/tracking-import.ts';

const pathOf = (row: SelfRow) => (row.origin === 'OFFLINE' ? OFFLINE_DETAIL : selfDoc.detail);

const COLUMNS: ColumnOverrides<SelfRow> = {
  number: {
    render: (row) => (
      <TabLink to={pathOf(row)} title={row.number} query={{ id: row.id }}>
        {row.number}
      </TabLink>
    ),
    text: (row) => row.number,
  },
  problem: { render: (row) => <Problem {...row} />, text: (row) => row.problem },
};

const STEPS = ['approve', 'print', 'ship', 'mark', 'resume'] as const;
const WITH_REASON = ['hold', 'cancel'] as const;

/** Why a row cannot take a step. */
const unfit = (name: SelfBatch) => (row: SelfRow) => {
  const rule = selfDoc.transitions[name];
  const from: readonly string[] = rule.from;
  return from.includes(row.state) ? undefined : `${selfDoc.states[row.state].title}不能${rule.title}`;
};

const HELD: readonly string[] = ['printing', 'ready'];
const notHeld = (row: SelfRow) => (HELD.includes(row.state) ? undefined : '只有待打单和待发货的单据占用库存');
const idsOf = (rows: readonly SelfRow[]) => rows.map((row) => row.id);

/** 自发货单: what we send to customers ourselves. */
export default function SelfList() {
  const tab = useTab();
  const choices = useSelfChoices();
  const permissions = usePermissions();
  const mayExport = useAllowed(SELF_EXPORT);
  const mayLabel = useAllowed(SELF_LABEL);
  const { data: waiting } = useCall(countWaiting, {}, { staleTime: 30_000 });
  const [asking, setAsking] = useState<{ name: (typeof WITH_REASON)[number]; rows: SelfRow[] }>();
  const [importing, setImporting] = useState(false);
  const may = (name: SelfBatch) => permissions?.has(selfDoc.transitions[name].permission) ?? false;
  const batch: BatchAction<SelfRow>[] = [
    ...STEPS.filter(may).map((name) => ({
      label: selfDoc.transitions[name].title,
      unfit: unfit(name),
      // A refusal was shown.
      onClick: (rows: SelfRow[]) => void runBatch(name, idsOf(rows)).catch(() => undefined),
    })),
    { label: '打印拣货单', unfit: notHeld, onClick: (rows) => printPicks(idsOf(rows)) },
    ...(mayLabel
      ? [
          {
            label: '申请运单',
            unfit: (row: SelfRow) => (mayBuy(row) ? undefined : '待打单、待发货且没有面单的单据才能申请'),
            // A refusal was shown.
            onClick: (rows: SelfRow[]) => void buyAll(idsOf(rows)).catch(() => undefined),
          },
        ]
      : []),
    { label: '打印面单', onClick: (rows) => printLabels(idsOf(rows)) },
    {
      label: '打印ZPL面单',
      unfit: (row) => (row.labelState === 'bought' ? undefined : '还没有出单'),
      onClick: (rows) => printZpl(idsOf(rows)),
    },
    ...WITH_REASON.filter(may).map((name) => ({
      label: selfDoc.transitions[name].title,
      unfit: unfit(name),
      danger: name === 'cancel',
      onClick: (rows: SelfRow[]) => setAsking({ name, rows }),
    })),
  ];
  const toWaiting = () => tab.open('/erp/warehouse/shipping/waiting', { title: '待建单订单' });
  const add = (
    <Allowed code={SELF_ADD}>
      <Button onClick={() => tab.open(OFFLINE_EDIT, { title: '新增线下发货单' })}>新增线下发货单</Button>
    </Allowed>
  );
  const build = (
    <Allowed code={SELF_VIEW}>
      <Button type="primary" onClick={toWaiting}>
        {waiting?.orders ? `待建单订单 ${formatInteger(waiting.orders)}` : '待建单订单'}
      </Button>
    </Allowed>
  );
  return (
    <>
      <ListScreen
        name="shipping/self"
        title="自发货单"
        unit="单"
        endpoint={listSelf}
        {...(mayExport ? { exportEndpoint: exportSelf } : {})}
        row={SelfRow}
        filter={SelfFilter}
        options={{ authid: toOptions(choices?.stores), warehouse: toOptions(choices?.warehouses) }}
        tabs={{ field: 'state', counts: countSelf }}
        columns={COLUMNS}
        onOpen={(row) => tab.open(pathOf(row), { title: row.number, query: { id: row.id } })}
        batch={batch}
        head={
          <>
            <Allowed code={SELF_IMPORT}>
              <Button onClick={() => setImporting(true)}>导入运单号</Button>
            </Allowed>
            {add}
            {build}
          </>
        }
        empty={
          <Empty title="还没有自发货单" text="从待建单订单建单，审核后占用库存，拣货、出库后向平台标记发货。">
            {build}
          </Empty>
        }
      />
      {asking && (
        <ReasonDialog
          title={`${selfDoc.transitions[asking.name].title} · ${asking.rows.length} 单`}
          okText={selfDoc.transitions[asking.name].title}
          onSend={(reason) => runBatch(asking.name, idsOf(asking.rows), reason)}
          onClose={() => setAsking(undefined)}
        >
          {asking.name === 'cancel' ? '释放占用的库存，订单回到待建单。' : '挂起期间发货时效继续计算。'}
        </ReasonDialog>
      )}
      <ImportDialog<FileCheck>
        title="导入运单号"
        open={importing}
        onClose={() => setImporting(false)}
        check={check}
        commit={commit}
        template={template}
        onDone={() => void refreshSelf()}
        accept=".xlsx"
        note="按自发货单号或平台订单号匹配；全部通过才会写入。已出库的单据写入后向平台标记发货。"
      />
    </>
  );
}

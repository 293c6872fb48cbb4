import { PrinterOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useState } from 'react';
import type { OfferedAction } from '#kit/contract/document.ts';
import { formatInteger } from '#kit/contract/format.ts';
import { Allowed } from '#kit/web/Allowed.tsx';
import { call, download, useCall } from '#kit/web/api/index.ts';
import type { Figure } from '#kit/web/cards/Figures.tsx';
import { Money } from '#kit/web/cells/index.ts';
import { DocumentScreen, type DocumentTab, Stream, stepsOf } from '#kit/web/document/index.ts';
import { ReasonDialog } from '#kit/web/form/index.ts';
import type { ColumnOverrides } from '#kit/web/grid/columns.ts';
import { notice } from '#kit/web/notice.tsx';
import { allows, usePermissions } from '#kit/web/session.ts';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import { useTab } from '#kit/web/tabs/scope.ts';
import { PRICE } from '../../contract/fields.ts';
import {
  PROCESS_EDIT,
  PROCESS_OUTPUT,
  PROCESS_STOP,
  ProcessKind,
  ProcessOutputRow,
  ProcessPartRow,
  type ProcessRow,
  type ProcessStep,
  printProcess,
  processDetail,
  processOrder,
  processSteps,
  requestProcessFee,
  reverseOutput,
} from '../../contract/process.ts';
import { Payments } from '../order/Payments.tsx';
import { refreshProcesses } from '../process/choices.ts';
import { FeeDialog } from '../process/FeeDialog.tsx';
import { OutputDialog } from '../process/OutputDialog.tsx';

const WAY = ['draft', 'pending', 'approved', 'running', 'done'];

function figuresOf(order: ProcessRow, prices: boolean): Figure[] {
  const money = (key: string, label: string, amount: string | null): Figure[] =>
    prices ? [{ key, label, value: <Money amount={amount} currency="CNY" /> }] : [];
  return [
    { key: 'qty', label: '加工数', value: formatInteger(order.qty) },
    { key: 'done', label: '已完工', value: formatInteger(order.done) },
    { key: 'scrapped', label: '损耗', value: formatInteger(order.scrapped) },
    ...money('fee', '加工费', order.fee),
    ...money('cost', '入库成本', order.cost),
  ];
}

function subjectOf(order: ProcessRow): string {
  const kind = ProcessKind.meta()?.states?.[order.kind]?.title ?? order.kind;
  return [`${order.product.code} ${order.product.name}`, kind, order.supplier, order.warehouse, order.remark]
    .filter(Boolean)
    .join(' · ');
}

/** 采购加工单详情: what is made of what, what has come out, and what can be done now. */
export default function ProcessDetail() {
  const tab = useTab();
  const permissions = usePermissions();
  const id = new URLSearchParams(tab.address.split('?')[1]).get('id') ?? '';
  const { data, error, refetch } = useCall(processDetail, { params: { id } }, { staleTime: 0 });
  const [finishing, setFinishing] = useState(false);
  const [asking, setAsking] = useState(false);
  const [undoing, setUndoing] = useState<ProcessOutputRow>();
  const order = data?.order;
  const undoable = allows(permissions, PROCESS_STOP) && ['running', 'done'].includes(order?.state ?? '');

  const run = async (name: string, reason?: string) => {
    if (name === 'output') return setFinishing(true);
    if (name === 'request') return setAsking(true);
    const body = { id, ...(order ? { version: order.version } : {}), ...(reason ? { reason } : {}) };
    const done = await call(processSteps[name as ProcessStep], { body }, {});
    notice.success(done.message);
    await refreshProcesses();
  };
  const outputs: ColumnOverrides<ProcessOutputRow> = {
    reversed: {
      render: (row) =>
        row.reversed ? (
          '已撤销'
        ) : undoable ? (
          <button type="button" className="link" onClick={() => setUndoing(row)}>
            撤销
          </button>
        ) : null,
    },
  };
  const mayFinish = order?.state === 'running' && allows(permissions, PROCESS_OUTPUT);
  const mayAsk = allows(permissions, requestProcessFee.permission) && Number(data?.money.left ?? 0) > 0;
  const offered: OfferedAction[] = [
    ...(data?.actions ?? []),
    ...(mayAsk ? [{ name: 'request', title: '请款', primary: false, reason: false }] : []),
    ...(mayFinish ? [{ name: 'output', title: '完工入库', primary: true, reason: false }] : []),
  ];
  const tabs: DocumentTab[] = [
    {
      key: 'parts',
      title: '子件',
      ...(data ? { count: data.parts.length } : {}),
      content: <LineTable row={ProcessPartRow} rows={data?.parts} density="picture" label="子件" />,
    },
    {
      key: 'outputs',
      title: '完工记录',
      ...(data ? { count: data.outputs.length } : {}),
      content: (
        <LineTable row={ProcessOutputRow} rows={data?.outputs} columns={outputs} label="完工记录" none="还没有完工" />
      ),
    },
    ...(data && order?.kind === 'OUTSOURCE'
      ? [
          {
            key: 'payments',
            title: '请款与付款',
            count: data.payments.length,
            content: <Payments payments={data.payments} money={data.money} prices={allows(permissions, PRICE)} />,
          },
        ]
      : []),
  ];
  return (
    <>
      <DocumentScreen
        number={order?.number}
        state={order && processOrder.states[order.state]}
        subject={order && subjectOf(order)}
        steps={order ? stepsOf(processOrder, WAY, order.state) : []}
        figures={order && figuresOf(order, allows(permissions, PRICE))}
        error={error}
        onRetry={() => void refetch()}
        head={
          <>
            <Button
              icon={<PrinterOutlined />}
              disabled={!order}
              onClick={() => void download(printProcess, { params: { id } }).catch(() => undefined)}
            >
              打印
            </Button>
            {order?.state === 'draft' && (
              <Allowed code={PROCESS_EDIT}>
                <Button data-edit onClick={() => tab.open('/e/p/p/c', { title: `编辑${order.number}`, query: { id } })}>
                  编辑
                </Button>
              </Allowed>
            )}
          </>
        }
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
        actions={offered}
        onAction={run}
        approval={order && { def: processOrder, id, onChanged: () => void refreshProcesses() }}
      />
      {finishing && order && <OutputDialog order={order} onClose={() => setFinishing(false)} />}
      {asking && order && data && (
        <FeeDialog order={order} left={data.money.left ?? '0'} onClose={() => setAsking(false)} />
      )}
      {undoing && (
        <ReasonDialog
          title={`撤销第 ${undoing.seq} 次完工`}
          okText="撤销完工"
          onSend={async (reason) => {
            const done = await call(reverseOutput, { body: { outputId: undoing.id, reason } }, { quiet: true });
            notice.success(done.message);
            await refreshProcesses();
          }}
          onClose={() => setUndoing(undefined)}
        >
          {`${formatInteger(undoing.qty)} 件成品退出库存，用料回到加工中，加工费不再应付。`}
        </ReasonDialog>
      )}
    </>
  );
}

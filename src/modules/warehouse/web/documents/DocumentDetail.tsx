import { Button } from 'antd';
import { type ReactNode, useState } from 'react';
import type { OfferedAction } from '#kit/contract/document.ts';
import { formatInteger } from '#kit/contract/format.ts';
import { Allowed } from '#kit/web/Allowed.tsx';
import { cacheKey, call, queryClient, useCall } from '#kit/web/api/index.ts';
import type { Figure } from '#kit/web/cards/Figures.tsx';
import { Money } from '#kit/web/cells/index.ts';
import { DocumentScreen, type DocumentTab, stepsOf, useNotes } from '#kit/web/document/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { allows, usePermissions } from '#kit/web/session.ts';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import { useTab } from '#kit/web/tabs/scope.ts';
import { COST, EntryRow, LineRow } from '../../contract/documents/fields.ts';
import { inboundCalls } from '../../contract/documents/inbound.ts';
import { outboundCalls } from '../../contract/documents/outbound.ts';
import { overseasCalls } from '../../contract/documents/overseas.ts';
import { transferCalls } from '../../contract/documents/transfer.ts';
import { RecordsLink } from '../links.tsx';
import { Provisional } from '../Provisional.tsx';
import { CountTable } from './CountTable.tsx';
import './documents.css';
import { commandOf, type Head, type WebKind } from './kinds.ts';
import { PrintButton } from './PrintButton.tsx';
import { type Entry, QuantityDialog } from './QuantityDialog.tsx';

/** Steps that ask for pieces before they are taken, by document and state. */
const HANDS: Record<string, { name: string; title: string; states: readonly string[]; permission: string }> = {
  'warehouse/inbound': {
    name: 'receive',
    title: '收货',
    states: ['receiving', 'partial'],
    permission: 'erp:wh:in:receive',
  },
  'warehouse/outbound': { name: 'pick', title: '拣货', states: ['picking'], permission: 'erp:wh:out:ship' },
  'warehouse/transfer': {
    name: 'receive',
    title: '收货',
    states: ['shipped', 'partial'],
    permission: 'erp:wh:transfer:receive',
  },
  'warehouse/overseas': {
    name: 'receive',
    title: '收货',
    states: ['shipped', 'partial'],
    permission: 'erp:wh:oversea:receive',
  },
  'warehouse/stocktake': {
    name: 'submit',
    title: '提交盘点',
    states: ['counting', 'recounting'],
    permission: 'erp:wh:stocktake:count',
  },
};

const WAY_DAYS = [
  ['departedOn', '出港'],
  ['landedOn', '到港'],
  ['plannedOn', '预计到仓'],
] as const;

function figuresOf(kind: WebKind, head: Head, lines: readonly LineRow[], cost: boolean): Figure[] {
  const money = (key: string, label: string, amount: string | null | undefined): Figure[] =>
    cost && amount !== undefined ? [{ key, label, value: <Money amount={amount} currency="CNY" /> }] : [];
  if (kind.name === 'warehouse/stocktake') {
    const counted = lines.filter((line) => line.countedQty !== null || line.skipped).length;
    // Before its approval the amounts are those that it would book.
    const word = head.state === 'pending' ? '预计' : '';
    return [
      { key: 'rows', label: '盘点行', value: formatInteger(lines.length) },
      { key: 'counted', label: '已盘', value: formatInteger(counted) },
      ...money('gain', `${word}盘盈金额`, head.gainAmount),
      ...money('loss', `${word}盘亏金额`, head.lossAmount),
    ];
  }
  const { shape } = kind.row;
  return [
    { key: 'sku', label: 'SKU数', value: formatInteger(head.skuCount ?? 0) },
    { key: 'qty', label: '数量', value: formatInteger(head.qty ?? 0) },
    ...(!('doneQty' in shape) || head.doneQty === undefined
      ? []
      : [{ key: 'done', label: '已执行', value: formatInteger(head.doneQty) }]),
    ...('boxes' in shape ? [{ key: 'boxes', label: '箱数', value: formatInteger(head.boxes ?? 0) }] : []),
    ...('amount' in shape ? money('amount', '金额', head.amount) : []),
    ...('freight' in shape ? money('freight', '运费', head.freight) : []),
    ...('otherFee' in shape
      ? money('other', kind.name === 'warehouse/assembly' ? '加工费' : '其他费用', head.otherFee)
      : []),
    ...WAY_DAYS.flatMap(([key, label]) => ('landedOn' in shape ? [{ key, label, value: head[key] ?? '—' }] : [])),
  ];
}

function subjectOf(kind: WebKind, head: Head): string {
  const type = kind.row.shape.type?.meta()?.states?.[head.type]?.title;
  const places = head.toWarehouse ? `${head.warehouse} → ${head.toWarehouse}` : head.warehouse;
  const mode = head.mode ? (head.mode === 'LIVE' ? '动态盘点' : '冻结盘点') : undefined;
  const main = head.product ? `${head.product.code} × ${head.qty ?? 0}` : undefined;
  const way = [head.carrier, head.channel].filter(Boolean).join(' ');
  return [type, places, main, mode, head.blind ? '盲盘' : undefined, head.partner, way, head.remark]
    .filter(Boolean)
    .join(' · ');
}

const openOf = (kind: WebKind) => (line: LineRow) => {
  if (kind.name === 'warehouse/outbound') return Math.max(0, line.qty - line.shortQty - line.pickedQty);
  return Math.max(0, line.qty - line.doneQty - line.shortQty);
};

const QUIET = { quiet: true };

/** The call by which a kind takes pieces in; all of them ask for the same. */
function receiveOf(kind: WebKind) {
  if (kind.name === 'warehouse/inbound') return inboundCalls.receive;
  return kind.name === 'warehouse/overseas' ? overseasCalls.receive : transferCalls.receive;
}

/** States of the straight way; a detour shows only while the document is on it. */
function wayOf(kind: WebKind, state: string): string[] {
  return kind.way.filter((each) => !['partial', 'recounting'].includes(each) || each === state);
}

/** What a kind shows beyond what all of them do, of a document that is there. */
export interface Special {
  head: Head;
  lines: readonly LineRow[];
  refresh: () => Promise<void>;
}

interface Props {
  kind: WebKind;
  tabs?: (special: Special) => DocumentTab[];
  /** Buttons beside 打印. */
  buttons?: (special: Special) => ReactNode;
}

/** One document: its way, its figures, its lines, the stock that it moved, and what can be done with it now. */
export function DocumentDetail({ kind, tabs: more, buttons }: Props) {
  const tab = useTab();
  const permissions = usePermissions();
  const id = new URLSearchParams(tab.address.split('?')[1]).get('id') ?? '';
  const { data, error, refetch } = useCall(kind.calls.data, { params: { id } }, { staleTime: 0 });
  const [open, setOpen] = useState<'hands'>();
  const head = data?.document as Head | undefined;
  const hands = HANDS[kind.name];
  const byHand =
    head && hands?.states.includes(head.state) && allows(permissions, hands.permission) ? hands : undefined;

  const refresh = async () => {
    await Promise.all(
      [kind.calls.data, kind.calls.list, kind.calls.counts].map((each) =>
        queryClient.invalidateQueries({ queryKey: cacheKey(each) }),
      ),
    );
  };
  const notes = useNotes({ calls: kind.calls.notes, id, timeline: data?.timeline, refresh });
  const run = async (name: string, reason?: string) => {
    if (name === byHand?.name && kind.name !== 'warehouse/stocktake') return setOpen('hands');
    const body = { id, ...(head ? { version: head.version } : {}), ...(reason ? { reason } : {}) };
    const done = await call(commandOf(kind, name), { body }, {});
    notice.success(done.message);
    await refresh();
  };
  const send = async (entries: Entry[], clientId: string) => {
    const lines = entries.map((entry) => ({ ...entry, locationId: entry.locationId ?? null }));
    const body = { id, clientId, lines };
    const done = await call(kind.name === 'warehouse/outbound' ? outboundCalls.pick : receiveOf(kind), { body }, QUIET);
    notice.success(done.message);
    await refresh();
  };

  const offered: OfferedAction[] = [
    ...(data?.actions ?? []).map((action) => (byHand ? { ...action, primary: false } : action)),
    ...(byHand ? [{ name: byHand.name, title: byHand.title, primary: true, reason: false }] : []),
  ];
  const counting = kind.name === 'warehouse/stocktake' && head && ['counting', 'recounting'].includes(head.state);
  const special = head && data && { head, lines: data.lines, refresh };
  const tabs: DocumentTab[] = [
    {
      key: 'lines',
      title: '明细',
      ...(data ? { count: data.lines.length } : {}),
      content: counting ? (
        <CountTable head={head} lines={data?.lines ?? []} />
      ) : (
        <LineTable
          row={LineRow}
          rows={data?.lines}
          only={kind.lines}
          density="picture"
          label="明细"
          none="还没有明细"
        />
      ),
    },
    ...(special && more ? more(special) : []),
    {
      key: 'entries',
      title: '库存流水',
      ...(data ? { count: data.entries.length } : {}),
      content: (
        <>
          <Provisional />
          <LineTable
            row={EntryRow}
            rows={data?.entries}
            density="picture"
            label="库存流水"
            none="还没有库存变动"
            columns={{
              qty: {
                render: (row) =>
                  head ? (
                    <RecordsLink
                      sku={row.product.code}
                      warehouseId={
                        head.warehouse === row.warehouse ? head.warehouseId : (head.toWarehouseId ?? head.warehouseId)
                      }
                    >
                      {row.qty > 0 ? `+${formatInteger(row.qty)}` : formatInteger(row.qty)}
                    </RecordsLink>
                  ) : null,
              },
            }}
          />
        </>
      ),
    },
    notes.tab,
  ];
  return (
    <>
      <DocumentScreen
        number={head?.number}
        state={head && kind.def.states[head.state]}
        subject={head && subjectOf(kind, head)}
        steps={head ? stepsOf(kind.def, wayOf(kind, head.state), head.state) : []}
        figures={head && figuresOf(kind, head, data?.lines ?? [], allows(permissions, COST))}
        error={error}
        onRetry={() => void refetch()}
        head={
          <>
            {special && buttons?.(special)}
            <PrintButton kind={kind} id={id} disabled={!data} />
            <Allowed code={kind.add}>
              {kind.write.length > 0 && (
                <Button
                  onClick={() => tab.open(kind.edit, { title: `复制${head?.number ?? ''}`, query: { copy: id } })}
                >
                  复制
                </Button>
              )}
              {head && ['draft', 'rejected'].includes(head.state) && (
                <Button data-edit onClick={() => tab.open(kind.edit, { title: `编辑${head.number}`, query: { id } })}>
                  编辑
                </Button>
              )}
            </Allowed>
          </>
        }
        tabs={tabs}
        side={notes.side}
        actions={offered}
        onAction={run}
        approval={head && { def: kind.def, id, onChanged: () => void refresh() }}
      />
      {open === 'hands' && byHand && data && (
        <QuantityDialog
          title={byHand.title}
          word={`本次${byHand.title}`}
          lines={data.lines}
          open={openOf(kind)}
          short={byHand.name === 'pick'}
          full={byHand.name === 'receive'}
          into={byHand.name === 'receive' ? (head?.toWarehouseId ?? head?.warehouseId) : undefined}
          onSend={send}
          onClose={() => setOpen(undefined)}
        />
      )}
    </>
  );
}

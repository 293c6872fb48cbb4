import { Button } from 'antd';
import { Allowed } from '#kit/web/Allowed.tsx';
import { call, useCall } from '#kit/web/api/index.ts';
import type { Figure } from '#kit/web/cards/Figures.tsx';
import { Money } from '#kit/web/cells/index.ts';
import { DocumentScreen, type DocumentTab, stepsOf, useNotes } from '#kit/web/document/index.ts';
import type { ColumnOverrides } from '#kit/web/grid/columns.ts';
import { notice } from '#kit/web/notice.tsx';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import { useTab } from '#kit/web/tabs/scope.ts';
import { TabLink } from '#kit/web/tabs/TabLink.tsx';
import {
  type FreightBillRow,
  FreightChargeRow,
  FreightMatchRow,
  FreightShareRow,
  freightBill,
} from '../../contract/freight/bill.ts';
import { type FreightStep, freightBillDetail, freightNotes, freightSteps } from '../../contract/freight/calls.ts';
import { FREIGHT_ADD, FreightBase } from '../../contract/freight/fields.ts';
import { shipOrder } from '../../contract/order.ts';
import { EDIT_PATH, refreshFreight } from '../freight/shared.ts';

const WAY = ['draft', 'pending', 'confirmed'];

const linked = (row: { orderId: string; order: string }) => (
  <TabLink to={shipOrder.detail} title={row.order} query={{ id: row.orderId }}>
    {row.order}
  </TabLink>
);
const CHARGES: ColumnOverrides<FreightChargeRow> = { order: { render: linked, text: (row) => row.order } };
const MATCHES: ColumnOverrides<FreightMatchRow> = { order: { render: linked, text: (row) => row.order } };

interface Paid {
  owed: string;
  paid: string;
}

function figuresOf(bill: FreightBillRow, money: Paid | null | undefined, differing: number): Figure[] {
  const amount = (key: string, label: string, value: string | null, currency: string): Figure => ({
    key,
    label,
    value: <Money amount={value} currency={currency} />,
  });
  return [
    amount('amount', '账单金额', bill.amount, bill.currency),
    ...(bill.currency === 'CNY' ? [] : [amount('cny', '折人民币', bill.amountCny, 'CNY')]),
    { key: 'orders', label: '发货单数', value: bill.orders },
    { key: 'differing', label: '差异单数', value: differing },
    ...(money
      ? [amount('owed', '应付', money.owed, bill.currency), amount('paid', '已付', money.paid, bill.currency)]
      : []),
  ];
}

const subjectOf = ({ carrier, billNo, day, base, dueOn, remark }: FreightBillRow): string =>
  [
    `${carrier} ${billNo}`,
    day,
    `按${FreightBase.meta()?.states?.[base]?.title ?? base}分摊`,
    dueOn ? `应付日期 ${dueOn}` : '',
    remark,
  ]
    .filter(Boolean)
    .join(' · ');

/** 物流账单详情: what the carrier asks, how it fits what was expected, and what it brought to each line. */
export default function FreightDetail() {
  const tab = useTab();
  const id = new URLSearchParams(tab.address.split('?')[1]).get('id') ?? '';
  const { data, error, refetch } = useCall(freightBillDetail, { params: { id } }, { staleTime: 0 });
  const notes = useNotes({ calls: freightNotes, id, timeline: data?.timeline, refresh: refetch });
  const { bill, lines, matches, shares = [], money } = data ?? {};
  const run = async (name: string, reason?: string) => {
    const body = { id, ...(bill ? { version: bill.version } : {}), ...(reason ? { reason } : {}) };
    notice.success((await call(freightSteps[name as FreightStep], { body }, {})).message);
    await refreshFreight();
  };
  const differing = matches?.filter((row) => row.state === 'differs').length ?? 0;
  const tabs: DocumentTab[] = [
    {
      key: 'lines',
      title: '账单明细',
      ...(lines ? { count: lines.length } : {}),
      content: <LineTable row={FreightChargeRow} rows={lines} columns={CHARGES} label="账单明细" />,
    },
    {
      key: 'matches',
      title: '对账',
      count: differing,
      content: (
        <LineTable
          row={FreightMatchRow}
          rows={matches}
          rowId={(row) => row.orderId}
          columns={MATCHES}
          label="对账"
          none="没有可对账的发货单"
        />
      ),
    },
    {
      key: 'shares',
      title: '分摊明细',
      count: shares.length,
      content: (
        <LineTable
          row={FreightShareRow}
          rows={data && shares}
          rowId={(row) => row.lineId}
          density="picture"
          label="分摊明细"
          none="确认入账后分摊到发货单明细"
        />
      ),
    },
    notes.tab,
  ];
  return (
    <DocumentScreen
      number={bill?.number}
      state={bill && freightBill.states[bill.state]}
      subject={bill && subjectOf(bill)}
      steps={bill ? stepsOf(freightBill, WAY, bill.state) : []}
      figures={bill && figuresOf(bill, money, differing)}
      error={error}
      onRetry={() => void refetch()}
      head={
        bill?.state === 'draft' && (
          <Allowed code={FREIGHT_ADD}>
            <Button data-edit onClick={() => tab.open(EDIT_PATH, { title: `编辑${bill.number}`, query: { id } })}>
              编辑
            </Button>
          </Allowed>
        )
      }
      tabs={tabs}
      side={notes.side}
      actions={data?.actions ?? []}
      onAction={run}
    />
  );
}

import { PrinterOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useState } from 'react';
import type { OfferedAction } from '#kit/contract/document.ts';
import { formatInteger } from '#kit/contract/format.ts';
import { call, download, useCall } from '#kit/web/api/index.ts';
import type { Figure } from '#kit/web/cards/Figures.tsx';
import { Money } from '#kit/web/cells/index.ts';
import { DocumentScreen, type DocumentTab, stepsOf, useNotes } from '#kit/web/document/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { allows, usePermissions } from '#kit/web/session.ts';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import { useTab } from '#kit/web/tabs/scope.ts';
import { TabLink } from '#kit/web/tabs/TabLink.tsx';
import {
  EXCHANGE_CONFIRM,
  ExchangeArrivalRow,
  ExchangeEnding,
  ExchangeLineRow,
  type ExchangeRow,
  type ExchangeStep,
  exchangeDetail,
  exchangeNotes,
  exchangeSteps,
  printExchange,
  purchaseExchange,
} from '../../contract/exchange.ts';
import { PRICE, RECEIVE } from '../../contract/fields.ts';
import { purchaseOrder } from '../../contract/order.ts';
import { refreshOrders } from '../choices.ts';
import { ArriveDialog } from '../exchange/ArriveDialog.tsx';
import { TerminateDialog } from '../exchange/TerminateDialog.tsx';

const WAY = ['pending', 'receiving', 'done'];

function figuresOf(exchange: ExchangeRow, prices: boolean): Figure[] {
  return [
    { key: 'qty', label: '换货数量', value: formatInteger(exchange.qty) },
    { key: 'received', label: '已换入', value: formatInteger(exchange.receivedQty) },
    { key: 'open', label: '待收货', value: formatInteger(exchange.openQty) },
    ...(prices ? [{ key: 'cost', label: '换出成本', value: <Money amount={exchange.cost} currency="CNY" /> }] : []),
  ];
}

function Subject({ exchange }: { exchange: ExchangeRow }) {
  const ending = exchange.ending && ExchangeEnding.meta()?.states?.[exchange.ending]?.title;
  const way = exchange.takesStock ? `${exchange.warehouse} 换出` : '不锁库存';
  return (
    <>
      <TabLink to={purchaseOrder.detail} title={exchange.order} query={{ id: exchange.orderId }}>
        {exchange.order}
      </TabLink>
      {` · ${[exchange.supplier, way, `入 ${exchange.target}`, exchange.reason, ending].filter(Boolean).join(' · ')}`}
    </>
  );
}

/** 采购换货详情: what went out, what came for it, and what can be done now. */
export default function ExchangeDetail() {
  const tab = useTab();
  const permissions = usePermissions();
  const id = new URLSearchParams(tab.address.split('?')[1]).get('id') ?? '';
  const { data, error, refetch } = useCall(exchangeDetail, { params: { id } }, { staleTime: 0 });
  const [opened, setOpened] = useState<'receive' | 'terminate'>();
  const notes = useNotes({ calls: exchangeNotes, id, timeline: data?.timeline, refresh: refetch });
  const exchange = data?.exchange;
  const run = async (name: string, reason?: string) => {
    if (name === 'receive' || name === 'terminate') return setOpened(name);
    const body = { id, ...(exchange ? { version: exchange.version } : {}), ...(reason ? { reason } : {}) };
    const done = await call(exchangeSteps[name as ExchangeStep], { body }, {});
    notice.success(done.message);
    await refreshOrders();
  };
  const own = (name: string, title: string, code: string, primary: boolean): OfferedAction[] =>
    exchange?.state === 'receiving' && allows(permissions, code) ? [{ name, title, primary, reason: false }] : [];
  const offered: OfferedAction[] = [
    ...(data?.actions ?? []),
    ...own('terminate', '终止', EXCHANGE_CONFIRM, false),
    ...own('receive', '收货', RECEIVE, true),
  ];
  const tabs: DocumentTab[] = [
    {
      key: 'lines',
      title: '换货明细',
      ...(data ? { count: data.lines.length } : {}),
      content: <LineTable row={ExchangeLineRow} rows={data?.lines} density="picture" label="换货明细" />,
    },
    {
      key: 'arrivals',
      title: '换入记录',
      ...(data ? { count: data.arrivals.length } : {}),
      content: (
        <LineTable
          row={ExchangeArrivalRow}
          rows={data?.arrivals}
          density="picture"
          label="换入记录"
          none="还没有换入"
        />
      ),
    },
    notes.tab,
  ];
  return (
    <>
      <DocumentScreen
        number={exchange?.number}
        state={exchange && purchaseExchange.states[exchange.state]}
        subject={exchange && <Subject exchange={exchange} />}
        steps={exchange ? stepsOf(purchaseExchange, WAY, exchange.state) : []}
        figures={exchange && figuresOf(exchange, allows(permissions, PRICE))}
        error={error}
        onRetry={() => void refetch()}
        head={
          <Button
            icon={<PrinterOutlined />}
            disabled={!exchange}
            onClick={() => void download(printExchange, { params: { id } }).catch(() => undefined)}
          >
            打印
          </Button>
        }
        tabs={tabs}
        side={notes.side}
        actions={offered}
        onAction={run}
      />
      {opened === 'receive' && exchange && data && (
        <ArriveDialog exchange={exchange} lines={data.lines} onClose={() => setOpened(undefined)} />
      )}
      {opened === 'terminate' && exchange && (
        <TerminateDialog exchange={exchange} onClose={() => setOpened(undefined)} />
      )}
    </>
  );
}

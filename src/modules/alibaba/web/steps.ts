import { App } from 'antd';
import type { HookAPI } from 'antd/es/modal/useModal';
import { Decimal, sum } from '#kit/contract/decimal.ts';
import { formatMoney } from '#kit/contract/format.ts';
import { call } from '#kit/web/api/index.ts';
import type { RowAction } from '#kit/web/grid/RowActions.tsx';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { CONFIRM, cancelTrade, confirmTrade, ORDER, payUrl, type TradeRow } from '../contract/index.ts';
import { refreshAlibaba } from './refresh.ts';

async function goPay(id: string, together: boolean): Promise<void> {
  const { url } = await call(payUrl, { body: { id, together, agreed: true } }, {});
  window.open(url, '_blank', 'noopener');
}

/**
 * Opens the platform's page on which an order is paid, or with several all of their purchase order that wait for it; asks
 * first where the platform takes another amount than the purchase order says.
 */
function openPayment(modal: HookAPI, rows: readonly TradeRow[]): void {
  const [first] = rows;
  if (!first) return;
  const go = () => goPay(first.id, rows.length > 1);
  const platform = sum(rows.map((row) => row.total ?? '0'));
  const ordered = sum(rows.map((row) => row.orderAmount ?? '0'));
  if (new Decimal(platform).eq(ordered)) return void go().catch(() => undefined);
  modal.confirm({
    title: '金额不一致，仍要付款',
    content: `平台金额${formatMoney(platform, 'CNY')}与采购单${formatMoney(ordered, 'CNY')}不一致，请核对后付款。`,
    okText: '去付款',
    onOk: go,
  });
}

const close = (modal: HookAPI, row: TradeRow) =>
  void modal.confirm({
    title: `关闭1688订单 ${row.platformId ?? row.orderNumber}`,
    content: '订单在1688关闭后不能恢复，其中的商品可以重新下单。',
    okText: '关闭订单',
    okButtonProps: { danger: true },
    onOk: async () => {
      await call(cancelTrade, { body: { id: row.id } }, {});
      notice.success('1688订单已关闭');
      await refreshAlibaba();
    },
  });

const confirm = (modal: HookAPI, row: TradeRow) =>
  void modal.confirm({
    title: `确认收货 ${row.platformId ?? row.orderNumber}`,
    content: '确认后1688把货款付给卖家，不能撤回。请先核对到货数量和质量。',
    okText: '确认收货',
    onOk: async () => {
      await call(confirmTrade, { body: { id: row.id } }, {});
      notice.success('1688订单已确认收货');
      await refreshAlibaba();
    },
  });

/** Pays several orders of one purchase order at once. */
export function usePayment(): (rows: readonly TradeRow[]) => void {
  const { modal } = App.useApp();
  return (rows) => openPayment(modal, rows);
}

/** What can be done with an order at the platform now, for those who may. */
export function useTradeSteps(): (row: TradeRow) => RowAction[] {
  const { modal } = App.useApp();
  const mayOrder = useAllowed(ORDER);
  const mayConfirm = useAllowed(CONFIRM);
  return (row) => [
    ...(mayOrder && row.status === 'waitbuyerpay'
      ? [
          { label: '去付款', onClick: () => openPayment(modal, [row]) },
          { label: '关闭订单', danger: true, onClick: () => close(modal, row) },
        ]
      : []),
    ...(mayConfirm && row.status === 'waitbuyerreceive'
      ? [{ label: '确认收货', onClick: () => confirm(modal, row) }]
      : []),
  ];
}

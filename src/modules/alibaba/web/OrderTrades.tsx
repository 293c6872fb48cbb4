import { Button } from 'antd';
import { useState } from 'react';
import { formatInteger } from '#kit/contract/format.ts';
import { Allowed } from '#kit/web/Allowed.tsx';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import { type OrderTrades as Data, ORDER, TradeLineRow, TradeRow } from '../contract/index.ts';
import { PlaceDialog } from './PlaceDialog.tsx';
import { usePayment, useTradeSteps } from './steps.ts';
import './alibaba.css';

const TRADES = [
  'platformId',
  'status',
  'seller',
  'orderAmount',
  'total',
  'freight',
  'refund',
  'difference',
  'trackingNo',
  'lastStep',
] as const;

/** Words under an order's number: what can be done with it, and what there is to know. */
function Foot({ row }: { row: Data['trades'][number] }) {
  const steps = useTradeSteps()(row);
  return (
    <>
      <span className="code">{row.platformId ?? '—'}</span>
      {(steps.length > 0 || row.problem !== '') && (
        <div className="alibaba-steps">
          {steps.map(({ label, onClick }) => (
            <button key={label} type="button" className="link" onClick={onClick}>
              {label}
            </button>
          ))}
          {row.problem !== '' && <span className="warning">{row.problem}</span>}
        </div>
      )}
    </>
  );
}

/** 1688订单 of a purchase order: each with its state, money and parcels, what is in it, and the sum beside the order. */
export default function OrderTrades({ id, data }: { id: string; data: Data }) {
  const [placing, setPlacing] = useState(false);
  const pay = usePayment();
  const unpaid = data.trades.filter((row) => row.status === 'waitbuyerpay');
  const { orderAmount, total, freight, refund, difference } = data;
  return (
    <div className="alibaba-order">
      <div className="alibaba-order-head">
        <span className="text2">
          已下单 {formatInteger(data.placedQty)} 件，未下单 {formatInteger(data.leftQty)} 件
        </span>
        <span className="text3">差额 = 1688应付 − 已退款 − 采购单金额（含分摊的运费、费用和优惠）</span>
        <span className="spring" />
        <Allowed code={ORDER}>
          {unpaid.length > 1 && (
            <Button size="small" onClick={() => pay(unpaid)}>{`合并付款 ${unpaid.length} 笔`}</Button>
          )}
          {data.orderable && (
            <Button size="small" type="primary" onClick={() => setPlacing(true)}>
              1688下单
            </Button>
          )}
        </Allowed>
      </div>
      <LineTable
        row={TradeRow}
        rows={data.trades}
        only={TRADES}
        label="1688订单"
        density="picture"
        none="还没有在1688下单"
        columns={{ platformId: { render: (row) => <Foot row={row} /> } }}
        {...(data.trades.length > 1 ? { totals: { orderAmount, total, freight, refund, difference } } : {})}
      />
      {data.lines.length > 0 && (
        <>
          <h2>商品</h2>
          <LineTable row={TradeLineRow} rows={data.lines} label="1688订单商品" density="picture" />
        </>
      )}
      {placing && <PlaceDialog order={{ id, number: data.number }} onClose={() => setPlacing(false)} />}
    </div>
  );
}

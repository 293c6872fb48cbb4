import { LeftOutlined, PrinterOutlined } from '@ant-design/icons';
import { Button, InputNumber } from 'antd';
import { useRef, useState } from 'react';
import { formatInteger } from '#kit/contract/format.ts';
import { call, useCall, uuid } from '#kit/web/api/index.ts';
import { ProductCell } from '#kit/web/cells/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { ErrorState } from '#kit/web/states/index.ts';
import { useDirty, useTab } from '#kit/web/tabs/scope.ts';
import { PICK } from '../../contract/fields.ts';
import { shipOrder } from '../../contract/order.ts';
import { shipOrderDetail, shipSteps } from '../../contract/order-calls.ts';
import { type PickRow, pickRows, pickShip } from '../../contract/picking.ts';
import { refreshShip } from '../choices.ts';
import '../shipping.css';

interface RowProps {
  row: PickRow;
  now: number;
  writes: boolean;
  onPut: (qty: number) => void;
}

function Row({ row, now, writes, onPut }: RowProps) {
  const open = row.want - row.picked;
  return (
    <tr>
      <td className="code">{row.place || '—'}</td>
      <td>
        <ProductCell product={row.product} />
      </td>
      <td className="code">{row.msku}</td>
      <td className="is-right num">{formatInteger(row.want)}</td>
      <td className="is-right num">{formatInteger(row.picked)}</td>
      <td className={`is-right num ${open > 0 ? 'warning' : 'text3'}`}>{formatInteger(open)}</td>
      <td className="is-right">
        {writes && open > 0 && (
          <InputNumber
            size="small"
            aria-label={`${row.product.code} 本次配货`}
            min={0}
            max={open}
            precision={0}
            controls={false}
            style={{ width: 96 }}
            value={now}
            onChange={(qty) => onPut(qty ?? 0)}
          />
        )}
      </td>
    </tr>
  );
}

/** 配货: the parts of an order by place, in the order in which one walks; what was taken is written down. */
export default function Picking() {
  const tab = useTab();
  const id = new URLSearchParams(tab.address.split('?')[1]).get('id') ?? '';
  const detail = useCall(shipOrderDetail, { params: { id } }, { staleTime: 0 });
  const { data: rows = [] } = useCall(pickRows, { params: { id } }, { staleTime: 0 });
  const mayPick = useAllowed(PICK);
  const [pieces, setPieces] = useState<Record<string, number>>({});
  const [busy, setBusy] = useState(false);
  const clientId = useRef(uuid());
  const chosen = rows.flatMap(({ lineId }) => {
    const qty = pieces[lineId] ?? 0;
    return qty > 0 ? [{ lineId, qty }] : [];
  });
  useDirty(chosen.length > 0);
  if (detail.isError) return <ErrorState error={detail.error} onRetry={() => void detail.refetch()} />;
  const order = detail.data?.order;
  const writes = mayPick && order?.state === 'picking';
  const open = rows.reduce((total, row) => total + row.want - row.picked, 0);
  const send = async (work: () => Promise<{ message: string }>) => {
    if (busy) return;
    setBusy(true);
    try {
      notice.success((await work()).message);
      setPieces({});
      clientId.current = uuid();
      await refreshShip();
    } catch {
      // The call has said why; what was written stays.
    } finally {
      setBusy(false);
    }
  };
  const take = () => send(() => call(pickShip, { body: { id, clientId: clientId.current, lines: chosen } }, {}));
  const finish = () =>
    send(async () => {
      const done = await call(shipSteps.picked, { body: { id } }, {});
      tab.open(shipOrder.detail, { title: done.number, query: { id }, replace: true });
      return done;
    });
  return (
    <div className="page-document">
      <div className="document-head">
        <button type="button" className="icon-button" aria-label="返回" onClick={tab.close}>
          <LeftOutlined />
        </button>
        <h1>{order ? `配货 ${order.number}` : '配货'}</h1>
        {order && (
          <span className="document-subject text2">{`${order.warehouse} → ${order.store.name}-${order.store.country}`}</span>
        )}
        <span className="spring" />
        <Button
          size="small"
          icon={<PrinterOutlined />}
          onClick={() => window.open(`/orderblank?shipmentid=${id}`, '_blank', 'noopener')}
        >
          配货单
        </Button>
        {writes && (
          <Button
            size="small"
            disabled={open === 0}
            onClick={() => setPieces(Object.fromEntries(rows.map((row) => [row.lineId, row.want - row.picked])))}
          >
            填满待配
          </Button>
        )}
      </div>
      <div className="document-content">
        <div className="line-table is-picture ship-lines">
          <table aria-label="配货明细">
            <thead>
              <tr>
                <th>库位</th>
                <th>本地商品</th>
                <th>平台SKU</th>
                <th className="is-right">需求</th>
                <th className="is-right">已配</th>
                <th className="is-right">待配</th>
                <th className="is-right">本次配货</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <Row
                  key={row.lineId}
                  row={row}
                  now={pieces[row.lineId] ?? 0}
                  writes={writes}
                  onPut={(qty) => setPieces((old) => ({ ...old, [row.lineId]: qty }))}
                />
              ))}
            </tbody>
          </table>
        </div>
      </div>
      <footer className="action-bar">
        <span className="action-bar-words">
          {writes
            ? `待配 ${formatInteger(open)} 件；完成配货时未配齐的数量退回可用库存，发货数量以配货为准`
            : order && `单据状态为【${shipOrder.states[order.state].title}】`}
        </span>
        <span className="spring" />
        {writes && (
          <>
            <Button data-save loading={busy} disabled={chosen.length === 0} onClick={() => void take()}>
              保存配货
            </Button>
            <Button type="primary" loading={busy} disabled={chosen.length > 0} onClick={() => void finish()}>
              完成配货
            </Button>
          </>
        )}
      </footer>
    </div>
  );
}

import { LeftOutlined } from '@ant-design/icons';
import { Button, InputNumber } from 'antd';
import { useState } from 'react';
import { formatInteger } from '#kit/contract/format.ts';
import { useCall, useSend } from '#kit/web/api/index.ts';
import { ProductCell } from '#kit/web/cells/index.ts';
import { SchemaForm, useForm } from '#kit/web/form/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useDirty, useTab } from '#kit/web/tabs/scope.ts';
import { createExchange, purchaseExchange } from '../../contract/exchange.ts';
import type { OrderLineRow } from '../../contract/order.ts';
import { orderDetail } from '../../contract/order-calls.ts';
import { placesOf, refreshOrders, usePurchaseChoices } from '../choices.ts';
import { returnable } from '../exchange/lines.ts';
import { OrderPicker } from '../exchange/OrderPicker.tsx';
import '../purchase.css';

const HeadForm = createExchange.body.omit({ lines: true });
const QUALITY = { GOOD: '正品', QC: '待检', DEFECTIVE: '次品' } as const;

interface LinesProps {
  lines: readonly OrderLineRow[];
  pieces: Readonly<Record<string, number>>;
  onPut: (lineId: string, qty: number) => void;
}

function Lines({ lines, pieces, onPut }: LinesProps) {
  if (lines.length === 0) return <p className="order-facts text3">选择有到货的采购单后填写换货数量。</p>;
  return (
    <div className="line-table is-picture">
      <table aria-label="换货明细">
        <thead>
          <tr>
            <th>商品</th>
            <th className="is-right">已收</th>
            <th className="is-right">次品</th>
            <th className="is-right">已退</th>
            <th className="is-right">换货中</th>
            <th className="is-right">可换</th>
            <th className="is-right">换货数量</th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <tr key={line.id}>
              <td>
                <ProductCell product={line.product} />
              </td>
              <td className="is-right num">{formatInteger(line.received)}</td>
              <td className="is-right num">{formatInteger(line.rejected)}</td>
              <td className="is-right num">{formatInteger(line.returned)}</td>
              <td className="is-right num">{formatInteger(line.exchanging)}</td>
              <td className="is-right num">{formatInteger(returnable(line))}</td>
              <td className="is-right">
                <InputNumber
                  size="small"
                  aria-label={`${line.product.code} 换货数量`}
                  min={0}
                  max={returnable(line)}
                  precision={0}
                  controls={false}
                  style={{ width: 96 }}
                  value={pieces[line.id] ?? null}
                  onChange={(qty) => onPut(line.id, qty ?? 0)}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** 新增采购换货: `order` in the address names the order whose pieces are exchanged. */
export default function ExchangeEdit() {
  const tab = useTab();
  const given = new URLSearchParams(tab.address.split('?')[1]).get('order') ?? '';
  const places = usePurchaseChoices()?.warehouses ?? [];
  const bad = places.find((place) => place.quality === 'DEFECTIVE');
  const form = useForm(HeadForm, { takesStock: true, orderId: given });
  const [picked, setPicked] = useState<{ id: string; number: string }>();
  const [pieces, setPieces] = useState<Record<string, number>>({});
  const [busy, setBusy] = useState(false);
  useDirty(Object.keys(pieces).length > 0);
  const orderId = String(form.values.orderId ?? '');
  const { data } = useCall(orderDetail, { params: { id: orderId } }, { enabled: orderId !== '', staleTime: 0 });
  const order = data?.order;
  const lines = data?.lines.filter((line) => returnable(line) > 0) ?? [];
  const takesStock = form.values.takesStock !== false;
  const save = useSend(createExchange, { quiet: true });
  const store = async () => {
    const from = form.values.warehouseId ?? bad?.id;
    const values = form.check();
    const chosen = lines.flatMap((line) => {
      const qty = pieces[line.id] ?? 0;
      return qty > 0 ? [{ lineId: line.id, qty }] : [];
    });
    if (!values || busy) return;
    if (chosen.length === 0) return notice.error('请填写换货数量');
    setBusy(true);
    try {
      const place = takesStock && typeof from === 'string' ? { warehouseId: from } : { warehouseId: undefined };
      const saved = await save.mutateAsync({ body: { ...values, ...place, lines: chosen } });
      notice.success(saved.message);
      setPieces({});
      form.reset(form.values);
      await refreshOrders();
      tab.open(purchaseExchange.detail, { title: saved.number, query: { id: saved.id }, replace: true });
    } catch (error) {
      if (!form.refuse(error)) notice.error((error as Error).message);
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className="page-document">
      <div className="document-head">
        <button type="button" className="icon-button" aria-label="返回" onClick={tab.close}>
          <LeftOutlined />
        </button>
        <h1>新增采购换货</h1>
      </div>
      <div className="document-content">
        <div className="order-form">
          <SchemaForm
            form={form}
            columns={6}
            fields={{
              orderId: {
                span: 2,
                render: () => (
                  <OrderPicker
                    value={picked ?? (order && { id: order.id, number: order.number })}
                    onPick={(choice) => {
                      setPicked(choice);
                      setPieces({});
                      form.set('orderId', choice.id);
                    }}
                  />
                ),
              },
              takesStock: { help: '次品在确认时出库；不锁库存则不动库存' },
              warehouseId: {
                hidden: !takesStock,
                placeholder: bad?.name ?? '请选择换出仓',
                options: places.map((place) => ({
                  value: place.id,
                  label: `${place.name}（${QUALITY[place.quality]}）`,
                })),
              },
              targetId: {
                placeholder: order?.warehouse ?? '采购单的入库仓',
                options: placesOf({ warehouses: places, suppliers: [] }, 'GOOD'),
              },
              reason: { span: 3 },
            }}
          />
        </div>
        <Lines lines={lines} pieces={pieces} onPut={(lineId, qty) => setPieces((old) => ({ ...old, [lineId]: qty }))} />
      </div>
      <footer className="action-bar">
        <span className="action-bar-words">保存后由采购与供应商确认，确认前不动库存</span>
        <span className="spring" />
        <Button type="primary" data-save loading={busy} onClick={() => void store()}>
          保存
        </Button>
      </footer>
    </div>
  );
}

import { PlusOutlined } from '@ant-design/icons';
import { Button, Checkbox, InputNumber, Modal, Select } from 'antd';
import { useState } from 'react';
import { formatInteger } from '#kit/contract/format.ts';
import { ApiError, call, messageOf, useCall } from '#kit/web/api/index.ts';
import { ProductCell } from '#kit/web/cells/index.ts';
import { notice } from '#kit/web/notice.tsx';
import type { OrderLineRow } from '../../contract/order.ts';
import { orderDetail } from '../../contract/order-calls.ts';
import { MAX_PARTS, splitOrder } from '../../contract/parts.ts';
import { placesOf, refreshOrders, usePurchaseChoices } from '../choices.ts';
import '../purchase.css';

/** A new order while it is put together: pieces by line. */
interface Part {
  key: number;
  warehouseId: string | undefined;
  pieces: Record<string, number>;
}

const NOTHING: Part = { key: 1, warehouseId: undefined, pieces: {} };

/** Pieces of a line that stay in the order. */
const stays = (line: OrderLineRow, parts: readonly Part[]) =>
  parts.reduce((left, part) => left - (part.pieces[line.id] ?? 0), line.qty);

/** Why the order cannot be split like that, or nothing. */
function obstacle(lines: readonly OrderLineRow[], parts: readonly Part[]): string | undefined {
  const over = lines.find((line) => stays(line, parts) < 0);
  if (over) return `SKU【${over.product.code}】拆出的数量超过 ${formatInteger(over.qty)}`;
  if (lines.every((line) => stays(line, parts) === 0)) return '原采购单至少保留一件商品';
  return parts.some((part) => Object.values(part.pieces).every((qty) => qty === 0))
    ? '每张新采购单至少填写一行数量'
    : undefined;
}

/** 拆分: pieces of an order that is not placed go to new orders of its supplier. */
export function SplitDialog({ orderId, onClose }: { orderId: string; onClose: () => void }) {
  const { data } = useCall(orderDetail, { params: { id: orderId } }, { staleTime: 0 });
  const places = placesOf(usePurchaseChoices(), 'GOOD');
  const [parts, setParts] = useState<Part[]>([NOTHING]);
  const [reprice, setReprice] = useState(false);
  const [busy, setBusy] = useState(false);
  const order = data?.order;
  const lines = data?.lines ?? [];
  const put = (key: number, next: (part: Part) => Part) =>
    setParts((old) => old.map((part) => (part.key === key ? next(part) : part)));
  const send = async () => {
    const why = obstacle(lines, parts);
    if (why) return notice.warning(why);
    setBusy(true);
    try {
      const made = parts.map(({ warehouseId, pieces }) => ({
        ...(warehouseId ? { warehouseId } : {}),
        lines: lines.flatMap((line) => {
          const qty = pieces[line.id] ?? 0;
          return qty > 0 ? [{ lineId: line.id, qty }] : [];
        }),
      }));
      const body = { id: orderId, ...(order ? { version: order.version } : {}), parts: made, reprice };
      const done = await call(splitOrder, { body }, { quiet: true });
      notice.success(`${done.message}：${done.made.map((one) => one.number).join('、')}`);
      await refreshOrders();
      onClose();
    } catch (error) {
      if (error instanceof ApiError) notice.error(messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Modal
      title={`拆分 ${order?.number ?? ''}`}
      open
      width={Math.min(1200, 620 + parts.length * 150)}
      okText="拆分"
      okButtonProps={{ disabled: !order }}
      confirmLoading={busy}
      onOk={() => void send()}
      onCancel={onClose}
    >
      <div className="purchase-dialog">
        <div className="purchase-dialog-head">
          <Button
            icon={<PlusOutlined />}
            disabled={parts.length >= MAX_PARTS}
            onClick={() => setParts((old) => [...old, { ...NOTHING, key: (old.at(-1)?.key ?? 0) + 1 }])}
          >
            增加一单
          </Button>
          {order?.state === 'draft' && (
            <Checkbox checked={reprice} onChange={(event) => setReprice(event.target.checked)}>
              按阶梯报价重新取价
            </Checkbox>
          )}
          <span className="text2">
            {order?.state === 'approved'
              ? '合计不超过已审核金额的沿用审核；换了入库仓的须重新提交。'
              : '运费、费用和优惠随商品分摊，其余条件不变。'}
          </span>
        </div>
        <div className="line-table is-picture">
          <table aria-label="拆分明细">
            <thead>
              <tr>
                <th>商品</th>
                <th className="is-right">订购</th>
                <th className="is-right">保留</th>
                {parts.map((part, index) => (
                  <th key={part.key} className="is-right">
                    <div className="split-part">
                      <span>新单{index + 1}</span>
                      {parts.length > 1 && (
                        <Button
                          type="link"
                          size="small"
                          aria-label={`去掉新单${index + 1}`}
                          onClick={() => setParts((old) => old.filter((one) => one.key !== part.key))}
                        >
                          去掉
                        </Button>
                      )}
                    </div>
                    <Select
                      size="small"
                      aria-label={`新单${index + 1} 入库仓`}
                      placeholder={order?.warehouse}
                      allowClear
                      style={{ width: 126 }}
                      value={part.warehouseId ?? null}
                      options={places}
                      onChange={(warehouseId: string | null) =>
                        put(part.key, (old) => ({ ...old, warehouseId: warehouseId ?? undefined }))
                      }
                    />
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {lines.map((line) => (
                <tr key={line.id}>
                  <td>
                    <ProductCell product={line.product} />
                  </td>
                  <td className="is-right num">{formatInteger(line.qty)}</td>
                  <td className={stays(line, parts) < 0 ? 'is-right num danger' : 'is-right num'}>
                    {formatInteger(stays(line, parts))}
                  </td>
                  {parts.map((part, index) => (
                    <td key={part.key} className="is-right">
                      <InputNumber
                        size="small"
                        aria-label={`${line.product.code}${line.gift ? ' 赠品' : ''} 新单${index + 1}`}
                        min={0}
                        max={line.qty}
                        precision={0}
                        controls={false}
                        style={{ width: 96 }}
                        value={part.pieces[line.id] ?? null}
                        onChange={(qty) =>
                          put(part.key, (old) => ({ ...old, pieces: { ...old.pieces, [line.id]: qty ?? 0 } }))
                        }
                      />
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </div>
    </Modal>
  );
}

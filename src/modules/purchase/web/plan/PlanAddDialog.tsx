import { DeleteOutlined } from '@ant-design/icons';
import { InputNumber, Modal, Segmented, Select } from 'antd';
import { useState } from 'react';
import type { Product } from '#kit/contract/field.ts';
import { useSend } from '#kit/web/api/index.ts';
import { ProductCell } from '#kit/web/cells/index.ts';
import { notice } from '#kit/web/notice.tsx';
import type { OrderType } from '../../contract/fields.ts';
import { addPlanLines } from '../../contract/plan.ts';
import { placesOf, refreshOrders, usePurchaseChoices } from '../choices.ts';
import { GoodsPicker } from '../order/GoodsPicker.tsx';
import '../purchase.css';

interface Line {
  id: string;
  product: Product;
  qty: number;
}

/** Products and pieces that a warehouse needs. */
export function PlanAddDialog({ onClose }: { onClose: () => void }) {
  const places = placesOf(usePurchaseChoices(), 'GOOD');
  const [chosen, setChosen] = useState<string>();
  const [type, setType] = useState<OrderType>('GOODS');
  const [lines, setLines] = useState<Line[]>([]);
  const warehouseId = chosen ?? places[0]?.value;
  const add = useSend(addPlanLines, {
    onSuccess: async ({ added, raised }) => {
      notice.success(`加入 ${added} 行${raised > 0 ? `，${raised} 行已在规划中，数量相加` : ''}`);
      await refreshOrders();
      onClose();
    },
  });
  return (
    <Modal
      title="加入采购规划"
      open
      width={720}
      okText="加入"
      okButtonProps={{ disabled: lines.length === 0 || !warehouseId }}
      confirmLoading={add.isPending}
      onOk={() =>
        warehouseId &&
        add.mutate({ body: { lines: lines.map(({ id, qty }) => ({ productId: id, qty, warehouseId })) } })
      }
      onCancel={onClose}
    >
      <div className="purchase-dialog">
        <div className="purchase-dialog-head">
          <Select
            aria-label="入库仓"
            placeholder="请选择入库仓"
            style={{ width: 180 }}
            value={warehouseId ?? null}
            options={places}
            onChange={setChosen}
          />
          <Segmented<OrderType>
            value={type}
            onChange={setType}
            options={[
              { value: 'GOODS', label: '成品' },
              { value: 'CONSUMABLE', label: '辅料' },
            ]}
          />
          <GoodsPicker
            supplierId=""
            type={type}
            onPick={(goods) =>
              setLines((old) =>
                old.some((line) => line.id === goods.id)
                  ? old
                  : [...old, { id: goods.id, product: goods.product, qty: goods.moq ?? 1 }],
              )
            }
          />
        </div>
        <div className="line-table is-picture">
          <table aria-label="规划明细">
            <thead>
              <tr>
                <th>商品</th>
                <th className="is-right">计划采购</th>
                <th aria-label="操作" />
              </tr>
            </thead>
            <tbody>
              {lines.map((line) => (
                <tr key={line.id}>
                  <td>
                    <ProductCell product={line.product} />
                  </td>
                  <td className="is-right">
                    <InputNumber
                      size="small"
                      aria-label={`${line.product.code} 计划采购`}
                      min={1}
                      precision={0}
                      controls={false}
                      style={{ width: 96 }}
                      value={line.qty}
                      onChange={(qty) =>
                        setLines((old) => old.map((one) => (one.id === line.id ? { ...one, qty: qty ?? 1 } : one)))
                      }
                    />
                  </td>
                  <td>
                    <button
                      type="button"
                      className="icon-button is-small"
                      aria-label={`删除 ${line.product.code}`}
                      onClick={() => setLines((old) => old.filter((one) => one.id !== line.id))}
                    >
                      <DeleteOutlined />
                    </button>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
          {lines.length === 0 && <div className="line-table-none">还没有商品</div>}
        </div>
      </div>
    </Modal>
  );
}

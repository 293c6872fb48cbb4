import { DeleteOutlined } from '@ant-design/icons';
import { InputNumber } from 'antd';
import type { ReactNode } from 'react';
import type { Product } from '#kit/contract/field.ts';
import { formatInteger } from '#kit/contract/format.ts';
import { ProductCell } from '#kit/web/cells/index.ts';

/** A part while it is written. */
export interface Part {
  productId: string;
  product: Product;
  qty: number | null;
  available: number;
}

interface Props {
  parts: readonly Part[];
  onChange: (parts: Part[]) => void;
  add: ReactNode;
}

/** The parts of a process order as a table that is written in; what is short stands in red. */
export function PartEditor({ parts, onChange, add }: Props) {
  const put = (id: string, qty: number | null) =>
    onChange(parts.map((part) => (part.productId === id ? { ...part, qty } : part)));
  return (
    <div className="line-table is-picture order-lines">
      <table aria-label="子件">
        <thead>
          <tr>
            <th>子件</th>
            <th className="is-right">需用</th>
            <th className="is-right">仓库可用</th>
            <th className="is-right">缺料</th>
            <th aria-label="操作" />
          </tr>
        </thead>
        <tbody>
          {parts.map((part) => {
            const short = Math.max(0, (part.qty ?? 0) - part.available);
            return (
              <tr key={part.productId}>
                <td>
                  <ProductCell product={part.product} />
                </td>
                <td className="is-right">
                  <InputNumber
                    size="small"
                    aria-label={`${part.product.code} 需用`}
                    controls={false}
                    min={1}
                    precision={0}
                    style={{ width: 96 }}
                    status={part.qty ? '' : 'warning'}
                    value={part.qty}
                    onChange={(qty) => put(part.productId, qty)}
                  />
                </td>
                <td className="is-right num">{formatInteger(part.available)}</td>
                <td className={`is-right num ${short > 0 ? 'danger' : 'text3'}`}>{formatInteger(short)}</td>
                <td className="nowrap">
                  <button
                    type="button"
                    className="icon-button is-small"
                    aria-label={`删除 ${part.product.code}`}
                    onClick={() => onChange(parts.filter((one) => one !== part))}
                  >
                    <DeleteOutlined />
                  </button>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      <div className="order-add">{add}</div>
    </div>
  );
}

import { DeleteOutlined } from '@ant-design/icons';
import { InputNumber } from 'antd';
import { ProductPicker } from './ProductPicker.tsx';

export interface EditedPart {
  productId: string;
  label: string;
  qty: number;
}

interface Props {
  parts: readonly EditedPart[];
  onChange: (parts: EditedPart[]) => void;
}

/** The products that one of a listing is made of, and how many of each. */
export function PartsEditor({ parts, onChange }: Props) {
  const put = (index: number, qty: number) =>
    onChange(parts.map((part, at) => (at === index ? { ...part, qty } : part)));
  return (
    <div className="line-table is-dense match-parts">
      <table aria-label="本地产品">
        <thead>
          <tr>
            <th>本地产品</th>
            <th style={{ width: 110 }}>每件含</th>
            <th style={{ width: 40 }} />
          </tr>
        </thead>
        <tbody>
          {parts.map((part, index) => (
            <tr key={part.productId}>
              <td>{part.label}</td>
              <td>
                <InputNumber
                  size="small"
                  aria-label={`${part.label} 数量`}
                  min={1}
                  max={10_000}
                  precision={0}
                  value={part.qty}
                  onChange={(qty) => put(index, qty ?? 1)}
                />
              </td>
              <td>
                <button
                  type="button"
                  className="icon-button is-small"
                  aria-label={`移除 ${part.label}`}
                  onClick={() => onChange(parts.filter((_, at) => at !== index))}
                >
                  <DeleteOutlined />
                </button>
              </td>
            </tr>
          ))}
          <tr>
            <td colSpan={3}>
              <ProductPicker
                placeholder="添加本地产品：输入 SKU、名称或条码"
                onPick={(one) => {
                  if (parts.some((part) => part.productId === one.id)) return;
                  onChange([...parts, { productId: one.id, label: `${one.sku} ${one.name}`, qty: 1 }]);
                }}
              />
            </td>
          </tr>
        </tbody>
      </table>
    </div>
  );
}

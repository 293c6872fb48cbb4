import { DeleteOutlined } from '@ant-design/icons';
import { InputNumber } from 'antd';
import type { ReactNode } from 'react';
import { formatInteger } from '#kit/contract/format.ts';
import { ProductCell } from '#kit/web/cells/index.ts';
import type { Draft } from './draft.ts';

interface Props {
  lines: readonly Draft[];
  onPut: (key: string, qty: number | null) => void;
  /** Left out where the lines are those of orders. */
  onRemove?: ((key: string) => void) | undefined;
  add?: ReactNode;
}

/** The lines of a self-shipping document as a table that is written in. */
export function LineEditor({ lines, onPut, onRemove, add }: Props) {
  const orders = lines.some((line) => line.order !== '');
  const total = lines.reduce((sum, line) => sum + (line.qty ?? 0), 0);
  return (
    <div className="line-table is-picture ship-lines">
      <table aria-label="发货明细">
        <thead>
          <tr>
            <th>商品</th>
            {orders && <th>平台订单</th>}
            <th>本地SKU</th>
            {orders && <th className="is-right">待发</th>}
            <th className="is-right">可用</th>
            <th className="is-right">数量</th>
            {onRemove && <th aria-label="操作" />}
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <tr key={line.key}>
              <td>
                <ProductCell product={line.product} />
              </td>
              {orders && <td className="code">{line.order}</td>}
              <td className={line.local === '' ? 'danger' : ''}>{line.local || '未关联本地产品'}</td>
              {orders && <td className="is-right num">{formatInteger(line.open ?? 0)}</td>}
              <td className={`is-right num ${(line.qty ?? 0) > line.available ? 'warning' : ''}`}>
                {formatInteger(line.available)}
              </td>
              <td className="is-right">
                <InputNumber
                  size="small"
                  aria-label={`${line.product.code} 数量`}
                  controls={false}
                  min={0}
                  precision={0}
                  style={{ width: 88 }}
                  value={line.qty}
                  onChange={(qty) => onPut(line.key, qty)}
                />
              </td>
              {onRemove && (
                <td>
                  <button
                    type="button"
                    className="icon-button is-small"
                    aria-label={`删除 ${line.product.code}`}
                    onClick={() => onRemove(line.key)}
                  >
                    <DeleteOutlined />
                  </button>
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
      <div className="ship-add">
        {add}
        <span className="spring" />
        <span className="text2">
          共 <b className="num">{formatInteger(total)}</b> 件
        </span>
      </div>
    </div>
  );
}

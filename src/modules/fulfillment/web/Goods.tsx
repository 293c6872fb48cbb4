import { InputNumber, Select } from 'antd';
import { useState } from 'react';
import { useCall } from '#kit/web/api/index.ts';
import { ProductCell } from '#kit/web/cells/index.ts';
import { type Goods as GoodsRow, mcfGoods, type WishedLine } from '../contract/create.ts';

/** A chosen product with how many pieces of it. */
export interface Chosen extends WishedLine {
  goods: GoodsRow;
}

interface Props {
  site: string | undefined;
  chosen: readonly Chosen[];
  onChange: (chosen: readonly Chosen[]) => void;
}

/** Goods out of the FBA stock of a site, with how many pieces of each. */
export function Goods({ site, chosen, onChange }: Props) {
  const [keyword, setKeyword] = useState('');
  const { data = [] } = useCall(
    mcfGoods,
    { body: { site: site ?? '', keyword } },
    { enabled: site !== undefined, keep: true },
  );
  const free = data.filter(({ id }) => !chosen.some(({ sku }) => sku === id));
  const add = (id: string) => {
    const goods = data.find((one) => one.id === id);
    if (goods) onChange([...chosen, { sku: id, quantity: 1, goods }]);
    setKeyword('');
  };
  return (
    <section className="mcf-goods">
      <Select
        aria-label="添加商品"
        placeholder={site ? '从 FBA 库存添加商品，可搜 MSKU 或标题' : '请先选择店铺/站点'}
        disabled={site === undefined}
        value={null}
        onChange={add}
        showSearch={{ searchValue: keyword, onSearch: setKeyword, filterOption: false }}
        options={free.map(({ id, product, fulfillable }) => ({
          value: id,
          label: `${id} · 可售 ${fulfillable} · ${product.name}`,
        }))}
      />
      {chosen.length > 0 && (
        <table aria-label="商品">
          <thead>
            <tr>
              <th>商品</th>
              <th className="right">可售</th>
              <th>数量</th>
              <th />
            </tr>
          </thead>
          <tbody>
            {chosen.map((one) => (
              <tr key={one.sku}>
                <td>
                  <ProductCell product={one.goods.product} size={26} />
                </td>
                <td className="right num">{one.goods.fulfillable}</td>
                <td>
                  <InputNumber
                    size="small"
                    aria-label={`${one.sku} 数量`}
                    min={1}
                    max={250}
                    precision={0}
                    value={one.quantity}
                    onChange={(value) =>
                      onChange(chosen.map((each) => (each === one ? { ...each, quantity: value ?? 1 } : each)))
                    }
                  />
                </td>
                <td>
                  <button
                    type="button"
                    className="link"
                    aria-label={`移除 ${one.sku}`}
                    onClick={() => onChange(chosen.filter((each) => each !== one))}
                  >
                    移除
                  </button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

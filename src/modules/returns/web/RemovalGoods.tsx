import { InputNumber, Select } from 'antd';
import { useState } from 'react';
import { z } from 'zod';
import { Product } from '#kit/contract/field.ts';
import { useCall } from '#kit/web/api/index.ts';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import { type RemovalLine, type RemovalGoods as Row, removalGoods } from '../contract/removals.ts';

/** A chosen product with how many pieces of it are wanted. */
export interface Chosen extends RemovalLine {
  goods: Row;
}

interface Props {
  site: string | undefined;
  chosen: readonly Chosen[];
  onChange: (chosen: readonly Chosen[]) => void;
}

const ChosenRow = z.object({
  sku: z.string(),
  product: Product.meta({ title: '商品', kind: 'product', width: 260 }),
  sellable: z.int().meta({ title: '可售', kind: 'integer', width: 150 }),
  unsellable: z.int().meta({ title: '不可售', kind: 'integer', width: 150 }),
  remove: z.string().meta({ title: '操作', width: 64 }),
});
type ChosenRow = z.infer<typeof ChosenRow>;

/** Goods out of the FBA stock of a site, with how many pieces of each grade shall go. */
export function RemovalGoods({ site, chosen, onChange }: Props) {
  const [keyword, setKeyword] = useState('');
  const { data = [] } = useCall(
    removalGoods,
    { body: { site: site ?? '', keyword } },
    { enabled: site !== undefined, keep: true },
  );
  const free = data.filter(({ id }) => !chosen.some(({ sku }) => sku === id));
  const add = (id: string) => {
    const goods = data.find((one) => one.id === id);
    // What cannot be sold is what is most often wanted out.
    if (goods) onChange([...chosen, { sku: id, sellable: 0, unsellable: goods.unsellable, goods }]);
    setKeyword('');
  };
  const pieces = (key: 'sellable' | 'unsellable', title: string) => ({
    render: ({ sku }: ChosenRow) => {
      const one = chosen.find((each) => each.sku === sku);
      return (
        <>
          <InputNumber
            size="small"
            aria-label={`${sku} ${title}`}
            min={0}
            max={one?.goods[key] ?? 0}
            precision={0}
            value={one?.[key] ?? 0}
            onChange={(value) =>
              onChange(chosen.map((each) => (each.sku === sku ? { ...each, [key]: value ?? 0 } : each)))
            }
          />{' '}
          / {one?.goods[key] ?? 0}
        </>
      );
    },
  });
  return (
    <section>
      <Select
        aria-label="添加商品"
        placeholder={site ? '从 FBA 库存添加商品，可搜 MSKU 或标题' : '请先选择店铺/站点'}
        disabled={site === undefined}
        value={null}
        onChange={add}
        style={{ width: '100%', marginBottom: 8 }}
        showSearch={{ searchValue: keyword, onSearch: setKeyword, filterOption: false }}
        options={free.map(({ id, product, sellable, unsellable }) => ({
          value: id,
          label: `${id} · 可售 ${sellable} · 不可售 ${unsellable} · ${product.name}`,
        }))}
      />
      {chosen.length > 0 && (
        <LineTable
          label="移除商品"
          row={ChosenRow}
          only={['product', 'sellable', 'unsellable', 'remove']}
          rows={chosen.map(({ goods, ...line }) => ({ ...line, product: goods.product, remove: '' }))}
          rowId={({ sku }) => sku}
          columns={{
            sellable: pieces('sellable', '可售'),
            unsellable: pieces('unsellable', '不可售'),
            remove: {
              render: ({ sku }: ChosenRow) => (
                <button
                  type="button"
                  className="link"
                  aria-label={`去掉 ${sku}`}
                  onClick={() => onChange(chosen.filter((each) => each.sku !== sku))}
                >
                  去掉
                </button>
              ),
            },
          }}
        />
      )}
    </section>
  );
}

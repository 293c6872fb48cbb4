import { Select } from 'antd';
import { useState } from 'react';
import type { Reply } from '#kit/contract/endpoint.ts';
import { formatInteger } from '#kit/contract/format.ts';
import { useCall } from '#kit/web/api/index.ts';
import { Picture } from '#kit/web/cells/index.ts';
import { selfProducts } from '../../contract/self/calls.ts';

export type Found = Reply<typeof selfProducts>[number];

const WORDS = '输入SKU、名称或条码添加';

/** Finds a local product, and says how many of it lie in the warehouse. */
export function GoodsPicker({ warehouseId, onPick }: { warehouseId: string; onPick: (found: Found) => void }) {
  const [text, setText] = useState('');
  const { data, isFetching } = useCall(selfProducts, { body: { text, warehouseId } }, { keep: true });
  return (
    <Select
      style={{ width: 340 }}
      aria-label={WORDS}
      placeholder={WORDS}
      value={null as string | null}
      showSearch={{ filterOption: false, onSearch: setText, searchValue: text }}
      loading={isFetching}
      popupMatchSelectWidth={480}
      notFoundContent={isFetching ? '查找中…' : '没有找到商品'}
      options={(data ?? []).map((row) => ({ value: row.id, label: row.product.code, row }))}
      optionRender={({ data: option }) => (
        <span className="ship-option">
          <Picture src={option.row.product.image} size={24} zoom={false} />
          <b className="code">{option.row.product.code}</b>
          <span className="ellipsis text2">{option.row.product.name}</span>
          <span className="spring" />
          <span className="num">可用 {formatInteger(option.row.available)}</span>
        </span>
      )}
      onSelect={(_, option) => {
        onPick(option.row);
        setText('');
      }}
    />
  );
}

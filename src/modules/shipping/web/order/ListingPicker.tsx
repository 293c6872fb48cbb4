import { Select } from 'antd';
import { useState } from 'react';
import { formatInteger } from '#kit/contract/format.ts';
import { useCall } from '#kit/web/api/index.ts';
import { Picture } from '#kit/web/cells/index.ts';
import { findShipListings } from '../../contract/order-calls.ts';

interface Props {
  authid: string;
  marketplaceId: string;
  warehouseId: string;
  onPick: (msku: string) => void;
}

const WORDS = '输入平台SKU、ASIN或标题添加';

/** Finds a listing of the store and site, and says how many of it can be put together in the warehouse. */
export function ListingPicker({ onPick, ...place }: Props) {
  const [text, setText] = useState('');
  const ready = place.authid !== '' && place.marketplaceId !== '';
  const { data, isFetching } = useCall(findShipListings, { body: { ...place, text } }, { enabled: ready, keep: true });
  return (
    <Select
      style={{ width: 340 }}
      aria-label={WORDS}
      placeholder={ready ? WORDS : '请先选择店铺和站点'}
      disabled={!ready}
      value={null as string | null}
      showSearch={{ filterOption: false, onSearch: setText, searchValue: text }}
      loading={isFetching}
      popupMatchSelectWidth={560}
      notFoundContent={isFetching ? '查找中…' : '没有找到商品'}
      options={(data ?? []).map((row) => ({ value: row.msku, label: row.msku, row, disabled: row.local === '' }))}
      optionRender={({ data: option }) => (
        <span className="ship-option">
          <Picture src={option.row.product.image} size={24} zoom={false} />
          <b className="code">{option.row.msku}</b>
          <span className="ellipsis text2">{option.row.product.name}</span>
          <span className="spring" />
          <span className="num">
            {option.row.local === '' ? '未关联本地产品' : `可用 ${formatInteger(option.row.available)}`}
          </span>
        </span>
      )}
      onSelect={(_, option) => {
        onPick(option.row.msku);
        setText('');
      }}
    />
  );
}

import { Select } from 'antd';
import { useState } from 'react';
import { useCall } from '#kit/web/api/index.ts';
import { ListHead } from '#kit/web/list/index.ts';
import { Empty } from '#kit/web/states/index.ts';
import { listStock } from '../../contract/inventory.ts';
import { Timeline } from '../Timeline.tsx';
import { useWarehouseOptions } from '../warehouses.ts';
import '../warehouse.css';

const CHOICES = 50;

/** 每日库存: one product through its days, over one warehouse or all. */
export default function DailyStock() {
  const [keyword, setKeyword] = useState('');
  const [chosen, setChosen] = useState<string>();
  const [warehouse, setWarehouse] = useState<string>();
  const warehouses = useWarehouseOptions();
  const { data, isFetching } = useCall(
    listStock,
    { body: { pagesize: CHOICES, filter: keyword ? { keyword } : {} } },
    { keep: true },
  );
  const products = new Map(
    (data?.records ?? []).map((row) => [row.productId, `${row.product.code} ${row.product.name}`] as const),
  );
  const productId = chosen ?? data?.records[0]?.productId;
  return (
    <div className="warehouse-page">
      <ListHead title="每日库存" />
      <div className="warehouse-body">
        <div className="warehouse-bar">
          <Select
            showSearch={{ filterOption: false, onSearch: setKeyword }}
            aria-label="产品"
            placeholder="按 SKU 或名称查找产品"
            loading={isFetching}
            value={productId}
            onChange={setChosen}
            options={[...products].map(([value, label]) => ({ value, label }))}
            style={{ width: 360 }}
          />
          <Select
            allowClear
            aria-label="仓库"
            placeholder="全部仓库"
            value={warehouse}
            onChange={setWarehouse}
            options={warehouses ?? []}
            style={{ width: 200 }}
          />
        </div>
        {productId ? (
          <Timeline productId={productId} warehouseId={warehouse} />
        ) : (
          <Empty title="还没有库存" text="有了出入库之后，这里按天显示每个产品的库存。" />
        )}
      </div>
    </div>
  );
}

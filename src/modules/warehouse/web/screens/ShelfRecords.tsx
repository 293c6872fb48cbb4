import { ListScreen } from '#kit/web/list/index.ts';
import { Empty } from '#kit/web/states/index.ts';
import { listShelfRecords, ShelfRecordFilter, ShelfRecordRow } from '../../contract/shelf.ts';
import { useWarehouseOptions } from '../warehouses.ts';

/** 上下架明细: both sides of every move between locations. */
export default function ShelfRecords() {
  const warehouses = useWarehouseOptions();
  return (
    <ListScreen
      name="warehouse/shelfRecords"
      title="上下架明细"
      unit="条"
      endpoint={listShelfRecords}
      row={ShelfRecordRow}
      filter={ShelfRecordFilter}
      options={{ warehouses }}
      empty={<Empty title="还没有上下架" text="上架、下架、移位和合并库位都会记在这里，一进一出各一条。" />}
      note="每次移动一进一出，操作量之和为 0"
    />
  );
}

import { ComparedScreen } from '#kit/web/list/index.ts';
import { useSiteOptions } from '#modules/listing/web/index.ts';
import {
  StorageFilter,
  StorageRow,
  StorageSumFilter,
  StorageSumRow,
  storageFees,
  storageSums,
} from '../../contract/fees.ts';
import { nothingYet } from '../facts.tsx';

const MEASURES = [
  { key: 'storageFee', title: '仓储费', kind: 'money', good: 'down', chart: true },
  { key: 'average', title: '日均库存合计', kind: 'integer' },
  { key: 'perPiece', title: '每件每月', kind: 'money', good: 'down' },
] as const;

/** 仓储费: what the warehouses charge for a month, by product and warehouse; or months against others. */
export default function StorageFees() {
  const sites = useSiteOptions();
  return (
    <ComparedScreen
      rows={{
        name: 'inventory/storageFees',
        title: '仓储费',
        unit: '行',
        endpoint: storageFees.list,
        exportEndpoint: storageFees.export,
        row: StorageRow,
        filter: StorageFilter,
        options: { sites },
        empty: nothingYet('仓储费'),
      }}
      sums={{
        name: 'inventory/storageSums',
        unit: '个商品',
        endpoint: storageSums.list,
        exportEndpoint: storageSums.export,
        trend: storageSums.trend,
        row: StorageSumRow,
        filter: StorageSumFilter,
        measures: MEASURES,
        step: 'month',
        drill: (row) => ({ keyword: row.fnsku }),
      }}
    />
  );
}

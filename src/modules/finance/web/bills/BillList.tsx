import { Button } from 'antd';
import { useState } from 'react';
import { Allowed } from '#kit/web/Allowed.tsx';
import { DueDay } from '#kit/web/cells/index.ts';
import type { ColumnOverrides } from '#kit/web/grid/columns.ts';
import { ListScreen } from '#kit/web/list/index.ts';
import { Empty } from '#kit/web/states/index.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import { TabLink } from '#kit/web/tabs/TabLink.tsx';
import { BillFilter, BillRow, countBills, listBills, platformBill, UPLOAD } from '../../contract/bills/bill.ts';
import { UploadBill } from './UploadBill.tsx';

const OPEN: readonly string[] = ['uploaded', 'partly', 'matched', 'confirmed'];

const COLUMNS: ColumnOverrides<BillRow> = {
  number: {
    render: (row) => (
      <TabLink to={platformBill.detail} title={row.number} query={{ id: row.id }}>
        {row.number}
      </TabLink>
    ),
    text: (row) => row.number,
  },
  matchedCount: {
    render: (row) => `${row.matchedCount} / ${row.orderCount}`,
    text: (row) => String(row.matchedCount),
  },
  dueOn: {
    render: (row) => (OPEN.includes(row.state) ? <DueDay day={row.dueOn} none="—" /> : row.dueOn),
    text: (row) => row.dueOn,
  },
};

const NEXT: Record<string, string> = { uploaded: '匹配', partly: '匹配', matched: '确认', confirmed: '付款' };

/** All bills of the platform, the newest first. */
export function BillList() {
  const tab = useTab();
  const [uploading, setUploading] = useState(false);
  const open = (row: BillRow) => tab.open(platformBill.detail, { title: row.number, query: { id: row.id } });
  const add = (
    <Allowed code={UPLOAD}>
      <Button type="primary" onClick={() => setUploading(true)}>
        上传1688账单
      </Button>
    </Allowed>
  );
  return (
    <>
      <ListScreen
        name="finance/bills"
        title="供应商平台结算"
        unit="单"
        density="two"
        endpoint={listBills}
        row={BillRow}
        filter={BillFilter}
        tabs={{ field: 'state', counts: countBills }}
        columns={COLUMNS}
        head={add}
        onOpen={open}
        actions={(row) => [{ label: NEXT[row.state] ?? '查看', onClick: () => open(row) }]}
        empty={
          <Empty
            title="还没有平台账单"
            text="在1688导出账期账单（.xlsx，四个工作表）后上传，系统自动匹配采购单并算出差异。"
          >
            {add}
          </Empty>
        }
      />
      <UploadBill open={uploading} onClose={() => setUploading(false)} />
    </>
  );
}

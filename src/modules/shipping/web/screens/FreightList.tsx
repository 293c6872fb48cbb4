import { PlusOutlined, SettingOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useState } from 'react';
import { Allowed } from '#kit/web/Allowed.tsx';
import type { ColumnOverrides } from '#kit/web/grid/columns.ts';
import { type FileCheck, ImportDialog } from '#kit/web/import/index.ts';
import { ListScreen } from '#kit/web/list/index.ts';
import { useAllowed } from '#kit/web/session.ts';
import { Empty } from '#kit/web/states/index.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import { TabLink } from '#kit/web/tabs/TabLink.tsx';
import { FreightBillFilter, FreightBillRow, freightBill } from '../../contract/freight/bill.ts';
import { countFreightBills, exportFreightBills, listFreightBills } from '../../contract/freight/calls.ts';
import { FREIGHT_ADD, FREIGHT_EXPORT, FREIGHT_IMPORT } from '../../contract/freight/fields.ts';
import { toOptions } from '../choices.ts';
import { check, commit, template } from '../freight/bill-import.ts';
import { SettingDialog } from '../freight/SettingDialog.tsx';
import { EDIT_PATH, refreshFreight, useFreightChoices } from '../freight/shared.ts';

const COLUMNS: ColumnOverrides<FreightBillRow> = {
  number: {
    render: (row) => (
      <TabLink to={freightBill.detail} title={row.number} query={{ id: row.id }}>
        {row.number}
      </TabLink>
    ),
    text: (row) => row.number,
  },
};

/** 物流账单: what carriers ask for ship orders. */
export default function FreightList() {
  const tab = useTab();
  const choices = useFreightChoices();
  const mayExport = useAllowed(FREIGHT_EXPORT);
  const mayAdd = useAllowed(FREIGHT_ADD);
  const [open, setOpen] = useState<'import' | 'setting'>();
  const add = (
    <Allowed code={FREIGHT_ADD}>
      <Button type="primary" icon={<PlusOutlined />} onClick={() => tab.open(EDIT_PATH, { title: '新增物流账单' })}>
        新增账单
      </Button>
    </Allowed>
  );
  const show = (row: FreightBillRow) => tab.open(freightBill.detail, { title: row.number, query: { id: row.id } });
  const edit = (row: FreightBillRow) => tab.open(EDIT_PATH, { title: `编辑${row.number}`, query: { id: row.id } });
  return (
    <>
      <ListScreen
        name="shipping/freight"
        title="物流账单"
        unit="张"
        endpoint={listFreightBills}
        {...(mayExport ? { exportEndpoint: exportFreightBills } : {})}
        row={FreightBillRow}
        filter={FreightBillFilter}
        options={{ carrier: toOptions(choices?.carriers) }}
        tabs={{ field: 'state', counts: countFreightBills }}
        columns={COLUMNS}
        onOpen={show}
        actions={(row: FreightBillRow) => [
          { label: row.state === 'pending' ? '审核' : '查看', onClick: () => show(row) },
          ...(mayAdd && row.state === 'draft' ? [{ label: '编辑', edits: true, onClick: () => edit(row) }] : []),
        ]}
        head={
          <>
            <Button icon={<SettingOutlined />} onClick={() => setOpen('setting')}>
              设置
            </Button>
            <Allowed code={FREIGHT_IMPORT}>
              <Button onClick={() => setOpen('import')}>导入</Button>
            </Allowed>
            {add}
          </>
        }
        empty={
          <Empty
            title="还没有物流账单"
            text="录入或导入物流商的账单，与出库时的预估对账；确认后分摊到每个SKU的库存成本，并生成应付。"
          >
            {add}
          </Empty>
        }
      />
      <ImportDialog<FileCheck>
        title="导入物流账单"
        open={open === 'import'}
        onClose={() => setOpen(undefined)}
        check={check}
        commit={commit}
        template={template}
        onDone={() => void refreshFreight()}
        accept=".xlsx"
        note="同一物流商、账单号的行合成一张账单草稿；全部通过才会写入，已录入的账单号不会重复写入。"
      />
      {open === 'setting' && <SettingDialog onClose={() => setOpen(undefined)} />}
    </>
  );
}

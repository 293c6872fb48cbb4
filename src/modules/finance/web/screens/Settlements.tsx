import '../finance.css';
import { Button } from 'antd';
import { useState } from 'react';
import { Allowed } from '#kit/web/Allowed.tsx';
import { cacheKey, call, queryClient, uuid } from '#kit/web/api/index.ts';
import { companyDay } from '#kit/web/day.ts';
import { FormDialog, useForm } from '#kit/web/form/index.ts';
import type { ColumnOverrides } from '#kit/web/grid/columns.ts';
import { ListScreen } from '#kit/web/list/index.ts';
import { Empty } from '#kit/web/states/index.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import { TabLink } from '#kit/web/tabs/TabLink.tsx';
import {
  addSettlement,
  countSettlements,
  listSettlements,
  SETTLE,
  SettlementFilter,
  SettlementForm,
  SettlementRow,
  supplierSettlement,
} from '../../contract/settlements.ts';
import { useParties } from '../choices.ts';
import { dayAgo } from '../days.ts';

const COLUMNS: ColumnOverrides<SettlementRow> = {
  number: {
    render: (row) => (
      <TabLink to={supplierSettlement.detail} title={row.number} query={{ id: row.id }}>
        {row.number}
      </TabLink>
    ),
    text: (row) => row.number,
  },
};

/** A new settlement: whom, and which days. */
function NewSettlement({ onClose, onSaved }: { onClose: () => void; onSaved: (id: string, number: string) => void }) {
  const form = useForm(SettlementForm, { currency: 'CNY', from: `${dayAgo(31).slice(0, 7)}-01`, to: companyDay() });
  const suppliers = useParties().filter((one) => one.kind === 'SUPPLIER');
  return (
    <FormDialog
      title="新增供应商结算单"
      open
      form={form}
      fields={{
        supplierId: { options: suppliers.map((one) => ({ value: one.id, label: one.name })) },
        remark: { span: 2 },
      }}
      onSubmit={async (values) => {
        const { id, number } = await call(addSettlement, { body: values }, { quiet: true, idempotencyKey: uuid() });
        await Promise.all(
          [listSettlements, countSettlements].map((each) =>
            queryClient.invalidateQueries({ queryKey: cacheKey(each) }),
          ),
        );
        onSaved(id, number);
      }}
      onClose={onClose}
    />
  );
}

/** 供应商结算: periods with suppliers, agreed with them and asked to be paid. */
export default function Settlements() {
  const tab = useTab();
  const [adding, setAdding] = useState(false);
  const open = (id: string, number: string) => tab.open(supplierSettlement.detail, { title: number, query: { id } });
  const add = (
    <Allowed code={SETTLE}>
      <Button type="primary" onClick={() => setAdding(true)}>
        新增结算单
      </Button>
    </Allowed>
  );
  return (
    <>
      <ListScreen
        name="finance/settlements"
        title="供应商结算"
        unit="单"
        density="dense"
        endpoint={listSettlements}
        row={SettlementRow}
        filter={SettlementFilter}
        tabs={{ field: 'state', counts: countSettlements }}
        columns={COLUMNS}
        head={add}
        onOpen={(row) => open(row.id, row.number)}
        actions={(row) => [{ label: row.state === 'draft' ? '对账' : '查看', onClick: () => open(row.id, row.number) }]}
        empty={
          <Empty title="还没有供应商结算单" text="按账期与供应商核对应付和付款，确认后生成请款单。">
            {add}
          </Empty>
        }
      />
      {adding && <NewSettlement onClose={() => setAdding(false)} onSaved={open} />}
    </>
  );
}

import '../supplier.css';
import { Button } from 'antd';
import { useState } from 'react';
import { Allowed } from '#kit/web/Allowed.tsx';
import { ListScreen } from '#kit/web/list/index.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import { countSuppliers, exportSuppliers, listSuppliers, SupplierFilter, SupplierRow } from '../../contract.ts';
import { SupplierDialog } from '../SupplierDialog.tsx';
import { SupplierDrawer } from '../SupplierDrawer.tsx';

/** 供应商 */
export default function SupplierList() {
  const tab = useTab();
  const asked = new URLSearchParams(tab.address.split('?')[1]).get('id') ?? undefined;
  const [id, setId] = useState<string | undefined>(asked);
  const [adding, setAdding] = useState(false);
  return (
    <>
      <ListScreen
        name="supplier/list"
        title="供应商"
        unit="家供应商"
        density="dense"
        endpoint={listSuppliers}
        exportEndpoint={exportSuppliers}
        row={SupplierRow}
        filter={SupplierFilter}
        tabs={{ field: 'state', counts: countSuppliers }}
        onOpen={(row) => setId(row.id)}
        current={id}
        actions={(row) => [
          { label: '查看', edits: true, onClick: () => setId(row.id) },
          {
            label: '供应的产品',
            onClick: () =>
              tab.open('/erp/product/localproduct', { title: '本地产品', query: { 'f.supplierId': row.id } }),
          },
        ]}
        head={
          <Allowed code="erp:supplier:edit">
            <Allowed code="erp:product:import">
              <Button
                onClick={() => tab.open('/erp/baseinfo/import', { title: '资料导入', query: { kind: 'supplier' } })}
              >
                导入
              </Button>
            </Allowed>
            <Button type="primary" onClick={() => setAdding(true)}>
              新增供应商
            </Button>
          </Allowed>
        }
      />
      <SupplierDrawer id={id} onClose={() => setId(undefined)} />
      <SupplierDialog supplier={adding ? 'new' : undefined} onClose={() => setAdding(false)} />
    </>
  );
}

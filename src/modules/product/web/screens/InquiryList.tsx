import '../product.css';
import { Button } from 'antd';
import { useState } from 'react';
import { Allowed } from '#kit/web/Allowed.tsx';
import { ListScreen } from '#kit/web/list/index.ts';
import { Empty } from '#kit/web/states/index.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import { PRICE_EDIT } from '../../contract/fields.ts';
import { countInquiries, exportInquiries, InquiryFilter, InquiryRow, listInquiries } from '../../contract/inquiry.ts';
import { InquiryDialog } from '../inquiry/InquiryDialog.tsx';
import { InquiryDrawer } from '../inquiry/InquiryDrawer.tsx';
import { useProductOptions } from '../options.ts';

/** 询价与报价 */
export default function InquiryList() {
  const tab = useTab();
  const asked = new URLSearchParams(tab.address.split('?')[1]).get('id') ?? undefined;
  const [id, setId] = useState<string | undefined>(asked);
  const [adding, setAdding] = useState(false);
  const { suppliers } = useProductOptions();
  return (
    <>
      <ListScreen
        name="product/inquiry"
        title="询价与报价"
        unit="单"
        endpoint={listInquiries}
        exportEndpoint={exportInquiries}
        row={InquiryRow}
        filter={InquiryFilter}
        options={{ supplierId: suppliers ?? [] }}
        tabs={{ field: 'state', counts: countInquiries }}
        onOpen={(row) => setId(row.id)}
        current={id}
        actions={(row) => [{ label: '比价', onClick: () => setId(row.id) }]}
        empty={<Empty title="还没有询价单" text="为一个产品登记几家供应商的报价，比较后采用其中一家。" />}
        head={
          <Allowed code={PRICE_EDIT}>
            <Button type="primary" onClick={() => setAdding(true)}>
              新建询价
            </Button>
          </Allowed>
        }
      />
      <InquiryDrawer id={id} onClose={() => setId(undefined)} />
      <InquiryDialog open={adding} onDone={setId} onClose={() => setAdding(false)} />
    </>
  );
}

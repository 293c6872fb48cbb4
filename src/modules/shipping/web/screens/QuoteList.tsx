import { PlusOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useState } from 'react';
import { Allowed } from '#kit/web/Allowed.tsx';
import type { ColumnOverrides } from '#kit/web/grid/columns.ts';
import { ListScreen } from '#kit/web/list/index.ts';
import { useAllowed } from '#kit/web/session.ts';
import { Empty } from '#kit/web/states/index.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import { TabLink } from '#kit/web/tabs/TabLink.tsx';
import { countQuoteRequests, exportQuoteRequests, listQuoteRequests } from '../../contract/quote-request/calls.ts';
import { QUOTE_ADD, QUOTE_EXPORT, QUOTE_IMPORT } from '../../contract/quote-request/fields.ts';
import { QuoteFilter, QuoteRequestRow, quoteRequest } from '../../contract/quote-request/request.ts';
import { toOptions } from '../choices.ts';
import { ImportQuotes } from '../quote-request/ImportQuotes.tsx';
import { EDIT_PATH, useQuoteChoices } from '../quote-request/shared.ts';

const COLUMNS: ColumnOverrides<QuoteRequestRow> = {
  number: {
    render: (row) => (
      <TabLink to={quoteRequest.detail} title={row.number} query={{ id: row.id }}>
        {row.number}
      </TabLink>
    ),
    text: (row) => row.number,
  },
};

/** 物流询价: what forwarders were asked, what they answered, and who got the goods. */
export default function QuoteList() {
  const tab = useTab();
  const choices = useQuoteChoices();
  const mayExport = useAllowed(QUOTE_EXPORT);
  const [importing, setImporting] = useState(false);
  const add = (
    <Allowed code={QUOTE_ADD}>
      <Button type="primary" icon={<PlusOutlined />} onClick={() => tab.open(EDIT_PATH, { title: '发起询价' })}>
        发起询价
      </Button>
    </Allowed>
  );
  return (
    <>
      <ListScreen
        name="shipping/quotes"
        title="物流询价"
        unit="单"
        endpoint={listQuoteRequests}
        {...(mayExport ? { exportEndpoint: exportQuoteRequests } : {})}
        row={QuoteRequestRow}
        filter={QuoteFilter}
        options={{ carrier: toOptions(choices?.carriers), warehouse: toOptions(choices?.warehouses) }}
        tabs={{ field: 'state', counts: countQuoteRequests }}
        columns={COLUMNS}
        onOpen={(row) => tab.open(quoteRequest.detail, { title: row.number, query: { id: row.id } })}
        head={
          <>
            <Allowed code={QUOTE_IMPORT}>
              <Button onClick={() => setImporting(true)}>导入报价</Button>
            </Allowed>
            {add}
          </>
        }
        empty={
          <Empty
            title="还没有物流询价"
            text="为发货单向多家物流商询价，录入各家报价后比较，选中一家并登记订舱；出库时按选中的报价预估头程费用。"
          >
            {add}
          </Empty>
        }
      />
      <ImportQuotes open={importing} onClose={() => setImporting(false)} />
    </>
  );
}

import { useState } from 'react';
import type { RowAction } from '#kit/web/grid/index.ts';
import { ListScreen } from '#kit/web/list/index.ts';
import { useAllowed } from '#kit/web/session.ts';
import { Empty } from '#kit/web/states/index.ts';
import { TabLink } from '#kit/web/tabs/TabLink.tsx';
import { useSiteOptions } from '#modules/listing/web/index.ts';
import { EXPORT, ISSUE } from '../../contract/fields.ts';
import { countInvoices, exportInvoices, InvoiceFilter, InvoiceRow, listInvoices } from '../../contract/invoices.ts';
import { mayCredit, mayGenerate, mayUpload, useInvoiceActs } from '../act.ts';
import { CreditDialog } from '../CreditDialog.tsx';
import { InvoiceDrawer } from '../InvoiceDrawer.tsx';

const SETTINGS = '/amazon/service/vatInvoice/settings';

/** VAT发票: shipments and refunds that want a document, the documents, and how Amazon judged them. */
export default function VatInvoices() {
  const sites = useSiteOptions();
  const mayIssue = useAllowed(ISSUE);
  const mayExport = useAllowed(EXPORT);
  const acts = useInvoiceActs();
  const [open, setOpen] = useState<string>();
  const [credit, setCredit] = useState<string>();
  const unfit = (fits: (row: InvoiceRow) => boolean, words: string) => (row: InvoiceRow) =>
    fits(row) ? undefined : words;
  const actions = (row: InvoiceRow): RowAction[] => [
    ...(mayIssue && mayUpload(row)
      ? [{ label: row.state === 'rejected' ? '重传' : '上传', onClick: () => acts.upload([row]) }]
      : []),
    ...(mayIssue && mayGenerate(row)
      ? [{ label: row.state === 'rejected' ? '重新生成' : '生成', onClick: () => acts.generate([row]) }]
      : []),
    ...(mayIssue && mayCredit(row) ? [{ label: '红字', onClick: () => setCredit(row.id) }] : []),
    ...(row.number === null ? [] : [{ label: '下载PDF', onClick: () => acts.pdf(row) }]),
  ];
  const batch = [
    {
      label: '生成',
      primary: true,
      unfit: unfit(mayGenerate, '只有待开票或被拒绝的可以生成'),
      onClick: (rows: InvoiceRow[]) => acts.generate(rows),
    },
    {
      label: '上传',
      unfit: unfit(mayUpload, '只有已生成或被拒绝的可以上传'),
      onClick: (rows: InvoiceRow[]) => acts.upload(rows),
    },
  ];
  return (
    <>
      <ListScreen
        name="vat/invoices"
        title="VAT发票"
        unit="张单据"
        endpoint={listInvoices}
        {...(mayExport ? { exportEndpoint: exportInvoices } : {})}
        row={InvoiceRow}
        filter={InvoiceFilter}
        options={{ sites }}
        tabs={{ field: 'state', counts: countInvoices }}
        actions={actions}
        {...(mayIssue ? { batch } : {})}
        current={open}
        onOpen={(row) => setOpen(row.id)}
        head={
          <TabLink to={SETTINGS} title="VAT设置">
            VAT设置
          </TabLink>
        }
        empty={
          <Empty
            title="还没有待开票的发货"
            text="先在「VAT设置」填写开票主体并为站点选择主体，之后自动读取待开票的发货。"
          />
        }
      />
      <InvoiceDrawer id={open} onClose={() => setOpen(undefined)} onPdf={acts.pdf} />
      {credit !== undefined && <CreditDialog id={credit} onClose={() => setCredit(undefined)} />}
    </>
  );
}

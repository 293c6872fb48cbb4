import { Modal } from 'antd';
import { download, useSend } from '#kit/web/api/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { generateInvoices, type InvoiceRow, invoicePdf, type Outcomes, uploadInvoices } from '../contract/invoices.ts';
import { REFRESHES } from './refreshes.ts';

const MOST_REASONS = 8;

/** Says what was done, and of what could not be done why. */
function said(words: string, { done, failed }: Outcomes): void {
  if (failed.length === 0) return void notice.success(`已${words} ${done} 张`);
  const shown = failed.slice(0, MOST_REASONS).map(({ orderId, reason }) => `${orderId}：${reason}`);
  const more = failed.length > MOST_REASONS ? [`另有 ${failed.length - MOST_REASONS} 张`] : [];
  Modal.warning({ title: `${words} ${done} 张，${failed.length} 张未处理`, content: [...shown, ...more].join('；') });
}

/** Issuing and sending of rows. */
export function useInvoiceActs() {
  const generate = useSend(generateInvoices, { refreshes: REFRESHES, onSuccess: (all) => said('生成', all) });
  const upload = useSend(uploadInvoices, { refreshes: REFRESHES, onSuccess: (all) => said('提交上传', all) });
  const ids = (rows: readonly Pick<InvoiceRow, 'id'>[]) => ({ body: { ids: rows.map(({ id }) => id) } });
  return {
    generate: (rows: readonly InvoiceRow[]) => generate.mutate(ids(rows)),
    upload: (rows: readonly InvoiceRow[]) => upload.mutate(ids(rows)),
    pdf: ({ id }: Pick<InvoiceRow, 'id'>) => void download(invoicePdf, { params: { id } }).catch(() => {}),
  };
}

/** Whether a row can be issued now. */
export const mayGenerate = ({ state, sending }: InvoiceRow): boolean =>
  !sending && (state === 'pending' || state === 'rejected');
/** Whether a row can be sent now. */
export const mayUpload = ({ state, sending }: InvoiceRow): boolean =>
  !sending && (state === 'generated' || state === 'rejected');
/** Whether a row can be credited. */
export const mayCredit = ({ state, type }: InvoiceRow): boolean => state === 'accepted' && type === 'INVOICE';

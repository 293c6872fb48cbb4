/** What a report says of an uploaded document. */
export type Verdict = { state: 'accepted' } | { state: 'rejected'; problem: string } | undefined;

interface Standing {
  state: string;
  /** The processing report has come: what was sent is with Amazon. */
  uploadedAt: string | null;
  /** On its way at this moment. */
  wantedAt: string | null;
}

/**
 * How a document stands by `invoice-status` and `invoice-status-description` (InvoicePending, InvoiceProcessing,
 * InvoiceUploaded and the same of credit notes; a refusal is told by the description while the status goes back to pending).
 * A report that was asked for before the upload ended knows nothing of it.
 * @param askedAt when the report was asked for, ISO
 */
export function verdictOf(status: string, words: string, standing: Standing, askedAt: string): Verdict {
  const { state, uploadedAt, wantedAt } = standing;
  if (state !== 'uploaded' && state !== 'rejected') return undefined;
  if (wantedAt !== null || uploadedAt === null || Date.parse(askedAt) < Date.parse(uploadedAt)) return undefined;
  if (/processing/i.test(status)) return undefined;
  if (/uploaded|accepted|success|complete/i.test(status)) return { state: 'accepted' };
  const isRefused = /reject|error|fail|invalid/i.test(status) || (/pending/i.test(status) && words.trim() !== '');
  return isRefused && state === 'uploaded' ? { state: 'rejected', problem: words.trim() || status } : undefined;
}

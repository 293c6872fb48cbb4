import type { Ctx } from '#kit/server/context.ts';

const DAY_MS = 86_400_000;
const USUAL_DAYS = 30;
const BOOKS_DAYS = 7 * 366;

/** Reports that books and taxes rest on: whoever audits them may ask for the original. */
const OF_BOOKS = /SETTLEMENT|VAT|TAX|INVOICE|EPR/;

/** Says who bought, with street and name: its bytes go as soon as it is read. Amazon makes it again for ninety days. */
const OF_BUYERS = 'GET_FLAT_FILE_VAT_INVOICE_DATA_REPORT';

/**
 * Days for which the bytes of a report are kept as they came: thirty, seven years for what books and taxes rest on, one for
 * what names buyers.
 */
export function keptDays(reportType: string): number {
  if (reportType === OF_BUYERS) return 1;
  return OF_BOOKS.test(reportType) ? BOOKS_DAYS : USUAL_DAYS;
}

/** When the bytes of a report that comes now may go. */
export function keptUntil(ctx: Pick<Ctx, 'clock'>, reportType: string): Date {
  return new Date(ctx.clock.ms() + keptDays(reportType) * DAY_MS);
}

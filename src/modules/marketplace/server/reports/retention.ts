import type { Ctx } from '#kit/server/context.ts';

const DAY_MS = 86_400_000;
const USUAL_DAYS = 30;
const BOOKS_DAYS = 7 * 366;

/** Reports that books and taxes rest on: whoever audits them may ask for the original. */
const OF_BOOKS = /SETTLEMENT|VAT|TAX|INVOICE|EPR/;

/** Days for which the bytes of a report are kept as they came: thirty, seven years for what books and taxes rest on. */
export function keptDays(reportType: string): number {
  return OF_BOOKS.test(reportType) ? BOOKS_DAYS : USUAL_DAYS;
}

/** When the bytes of a report that comes now may go. */
export function keptUntil(ctx: Pick<Ctx, 'clock'>, reportType: string): Date {
  return new Date(ctx.clock.ms() + keptDays(reportType) * DAY_MS);
}

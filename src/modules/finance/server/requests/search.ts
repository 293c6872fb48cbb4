import { formatMoney } from '#kit/contract/format.ts';
import type { SearchProvider } from '#modules/system/server/index.ts';
import { paymentRequest, type RequestState, VIEW } from '../../contract/requests.ts';
import { SUBJECT } from './subject.ts';

/** Sorts behind every character that a number may hold. */
const LAST = '\u{10ffff}';

/** Payment requests by the beginning of their number. */
export const requestSearch: SearchProvider = {
  title: '请款单',
  icon: 'document',
  permission: VIEW,
  async search(ctx, text, limit) {
    const start = text.trim().toUpperCase();
    const rows = await ctx.db
      .selectFrom('finance.payment_request as r')
      .select(['r.id', 'r.number', 'r.state', 'r.amount', 'r.currency', SUBJECT.as('subject')])
      .where('r.company_id', '=', ctx.companyId)
      .where('r.number', '>=', start)
      .where('r.number', '<', start + LAST)
      .orderBy('r.number', 'desc')
      .limit(limit)
      .execute();
    return rows.map((row) => ({
      title: row.number,
      subtitle: paymentRequest.title,
      image: null,
      tag: paymentRequest.states[row.state as RequestState],
      facts: [
        { label: '金额', value: formatMoney(row.amount, row.currency) },
        { label: '关联单号', value: row.subject || '—' },
      ],
      path: paymentRequest.detail,
      query: { id: row.id },
      tabTitle: row.number,
    }));
  },
};

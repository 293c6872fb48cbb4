import { formatMoney } from '#kit/contract/format.ts';
import type { SearchProvider } from '#modules/system/server/index.ts';
import { paymentRequest, type RequestState, VIEW } from '../../contract/requests.ts';

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
      .selectFrom('finance.payment_request')
      .select(['id', 'number', 'state', 'amount', 'currency', 'subject_number'])
      .where('company_id', '=', ctx.companyId)
      .where('number', '>=', start)
      .where('number', '<', start + LAST)
      .orderBy('number', 'desc')
      .limit(limit)
      .execute();
    return rows.map((row) => ({
      title: row.number,
      subtitle: paymentRequest.title,
      image: null,
      tag: paymentRequest.states[row.state as RequestState],
      facts: [
        { label: '金额', value: formatMoney(row.amount, row.currency) },
        { label: '关联单号', value: row.subject_number || '—' },
      ],
      path: paymentRequest.detail,
      query: { id: row.id },
      tabTitle: row.number,
    }));
  },
};

import { formatMoney } from '#kit/contract/format.ts';
import type { SearchProvider } from '#modules/system/server/index.ts';
import { type BlocState, blocRequest, VIEW } from '../../contract/bloc.ts';

/** Sorts behind every character that a number may hold. */
const LAST = '\u{10ffff}';

/** Requests between companies of the group by the beginning of their number. */
export const blocSearch: SearchProvider = {
  title: '往来申请',
  icon: 'document',
  permission: VIEW,
  async search(ctx, text, limit) {
    const start = text.trim().toUpperCase();
    const rows = await ctx.db
      .selectFrom('finance.bloc_request')
      .select(['id', 'number', 'state', 'amount', 'currency', 'reason'])
      .where('company_id', '=', ctx.companyId)
      .where('number', '>=', start)
      .where('number', '<', start + LAST)
      .orderBy('number', 'desc')
      .limit(limit)
      .execute();
    return rows.map((row) => ({
      title: row.number,
      subtitle: blocRequest.title,
      image: null,
      tag: blocRequest.states[row.state as BlocState],
      facts: [
        { label: '金额', value: formatMoney(row.amount, row.currency) },
        { label: '事由', value: row.reason },
      ],
      path: blocRequest.detail,
      query: { id: row.id },
      tabTitle: row.number,
    }));
  },
};

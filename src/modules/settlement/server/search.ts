import { formatMoney } from '#kit/contract/format.ts';
import { countryOf } from '#modules/marketplace/contract/marketplaces.ts';
import { storeNames } from '#modules/marketplace/server/index.ts';
import type { SearchProvider } from '#modules/system/server/index.ts';

/** Settlements by the beginning of their number; a company has some hundreds of them. */
export const settlementSearch: SearchProvider = {
  title: '结算',
  icon: 'document',
  permission: 'fin:settlement:view',
  async search(ctx, text, limit) {
    if (!/^\d+$/.test(text)) return [];
    const rows = await ctx.db
      .selectFrom('settlement.settlement')
      .select(['id', 'settlement_id', 'account_id', 'marketplace_id', 'currency', 'total_amount', 'line_count'])
      .select(['start_at', 'end_at'])
      .where('company_id', '=', ctx.companyId)
      .where('superseded_at', 'is', null)
      .where('settlement_id', '>=', text)
      .where('settlement_id', '<', `${text}~`)
      .orderBy('end_at', 'desc')
      .limit(limit)
      .execute();
    if (rows.length === 0) return [];
    const stores = await storeNames(ctx);
    return rows.map((row) => {
      const shop = `${stores.get(row.account_id) ?? '—'}-${countryOf(row.marketplace_id)}`;
      const total = formatMoney(row.total_amount, row.currency);
      return {
        title: `账期 ${row.settlement_id}`,
        subtitle: `${shop} · ${total}`,
        facts: [
          { label: '店铺-站点', value: shop },
          { label: '周期开始', value: row.start_at?.slice(0, 10) ?? '—' },
          { label: '周期结束', value: row.end_at.slice(0, 10) },
          { label: '存款总计', value: total },
          { label: '明细行数', value: String(row.line_count) },
        ],
        path: '/amazon/payment/detail',
        query: { id: row.id },
        tabTitle: `账期 ${row.settlement_id}`,
      };
    });
  },
};

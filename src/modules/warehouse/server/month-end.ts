import { sql } from 'kysely';
import { type MonthEndLedger, noneLeft } from '#kit/server/month-end.ts';
import { isClosed } from './ledger/period.ts';

const LAYERS = { path: '/erp/inventory/report/age', title: '库龄与成本层' };

/** The stock ledger: what came in a month, still lies there and has no final cost. */
export const stockMonthEnd: MonthEndLedger = {
  title: '库存成本',
  sort: 40,
  permission: 'erp:inv:view',
  screen: LAYERS,
  async read(ctx, month) {
    const first = `${month}-01`;
    const { rows } = await sql<{ estimated: number }>`
      SELECT count(*)::int AS estimated FROM warehouse.cost_layer
       WHERE company_id = ${ctx.companyId} AND open AND original_date >= ${first}::date
         AND original_date < (${first}::date + interval '1 month') AND cost_state = 'ESTIMATED'`.execute(ctx.db);
    const estimated = rows[0]?.estimated ?? 0;
    return {
      state: (await isClosed(ctx, first)) ? 'CLOSED' : 'OPEN',
      checks: [
        noneLeft('入库成本已确定', estimated, {
          detail: `${estimated} 批在库商品的成本仍为暂估`,
          to: { ...LAYERS, query: {} },
        }),
      ],
    };
  },
};

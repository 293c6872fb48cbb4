import { sql } from 'kysely';
import { actsForFlow, flowTells } from '#kit/server/approval.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { TransitionRules } from '#kit/server/document.ts';
import { refused } from '#kit/server/errors.ts';
import { membersWith } from '#modules/identity/server/index.ts';
import { separateApprover } from '#modules/warehouse/server/index.ts';
import { AUDIT } from '../../contract/fields.ts';
import { shipOrder } from '../../contract/order.ts';
import { requirePacked } from './boxes.ts';
import { hold, holdings, letGo } from './events.ts';
import type { ShipOrder } from './load.ts';
import { hasRest, loseRest } from './lose.ts';
import { clearPicked, settlePicked } from './picked.ts';
import { send } from './send.ts';

type Rules = Partial<Record<keyof typeof shipOrder.transitions, TransitionRules<ShipOrder>>>;

/** Only this kind of order touches our stock; the other is told for the books of the marketplace alone. */
export const movesStock = (order: Pick<ShipOrder, 'stockMode'>): boolean => order.stockMode === 'LOCAL';

/**
 * Who made an order does not approve it, unless nobody else could: a company of one person is not locked out.
 * @throws refused B0820
 */
async function requireOtherApprover(ctx: Ctx, order: ShipOrder): Promise<void> {
  if (actsForFlow(ctx) || ctx.userId === null || order.createdBy !== ctx.userId) return;
  if (!(await separateApprover(ctx))) return;
  const able = await membersWith(ctx, AUDIT);
  if (able.some((id) => id !== ctx.userId)) throw refused('制单人不能审核自己的单据，请由其他人审核', 'B0820');
}

const agree = async (ctx: Ctx, order: ShipOrder) => {
  await requireOtherApprover(ctx, order);
  if (movesStock(order)) await hold(ctx, order);
};

/** What each step does beside changing the state. */
export const shipRules: Rules = {
  approve: { run: agree },
  hold: {
    guard: async (ctx, order) =>
      (await flowTells(ctx, shipOrder, order.id)) ? '发货单由审批流审核，通过后再处理' : undefined,
    run: agree,
  },
  picked: { run: settlePicked },
  unpick: {
    guard: async (ctx, order) => {
      const { rows } =
        await sql`SELECT FROM shipping.box WHERE company_id = ${ctx.companyId} AND order_id = ${order.id} LIMIT 1`.execute(
          ctx.db,
        );
      return rows.length > 0 ? '已有装箱数据，请先清空装箱' : undefined;
    },
    run: clearPicked,
  },
  packed: { run: requirePacked },
  ship: { run: send },
  shut: { run: loseRest },
  writeOff: {
    guard: async (_ctx, order) => (hasRest(order) ? undefined : '没有仍在途的数量'),
    run: loseRest,
  },
  cancel: {
    run: async (ctx, order) => {
      if ((await holdings(ctx, order)).length > 0) await letGo(ctx, order);
    },
  },
};

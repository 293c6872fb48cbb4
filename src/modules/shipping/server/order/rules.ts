import { sql } from 'kysely';
import { actsForFlow, flowTells } from '#kit/server/approval.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { TransitionRules } from '#kit/server/document.ts';
import { refused } from '#kit/server/errors.ts';
import { membersWith } from '#modules/identity/server/index.ts';
import { separateApprover } from '#modules/warehouse/server/index.ts';
import { AUDIT } from '../../contract/fields.ts';
import { shipOrder } from '../../contract/order.ts';
import { requirePacked } from '../box/finish.ts';
import { fixedAlready, notLabelled } from '../inbound/guards.ts';
import { beginInbound, callOff, wake } from '../inbound/wake.ts';
import { hold, holdings, letGo } from './events.ts';
import type { ShipOrder } from './load.ts';
import { hasRest, loseRest } from './lose.ts';
import { goesThrough, movesStock } from './mode.ts';
import { clearPicked, settlePicked } from './picked.ts';
import { send } from './send.ts';

type Rules = Partial<Record<keyof typeof shipOrder.transitions, TransitionRules<ShipOrder>>>;

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
  if (goesThrough(order)) await beginInbound(ctx, order);
};

/** The way through Amazon's inbound API may have waited for this step. */
const tell = async (ctx: Ctx, order: ShipOrder) => {
  if (goesThrough(order)) await wake(ctx, order.id);
};

async function boxesLeft(ctx: Ctx, order: ShipOrder): Promise<string | undefined> {
  const { rows } =
    await sql`SELECT FROM shipping.box WHERE company_id = ${ctx.companyId} AND order_id = ${order.id} LIMIT 1`.execute(
      ctx.db,
    );
  return rows.length > 0 ? '已有装箱数据，请先清空装箱' : undefined;
}

/** What each step does beside changing the state. */
export const shipRules: Rules = {
  approve: { run: agree },
  hold: {
    guard: async (ctx, order) =>
      (await flowTells(ctx, shipOrder, order.id)) ? '发货单由审批流审核，通过后再处理' : undefined,
    run: agree,
  },
  unhold: { run: tell },
  picked: {
    run: async (ctx, order) => {
      await settlePicked(ctx, order);
      await tell(ctx, order);
    },
  },
  unpick: {
    guard: async (ctx, order) => (await boxesLeft(ctx, order)) ?? (await fixedAlready(ctx, order)),
    run: async (ctx, order) => {
      await clearPicked(ctx, order);
      await tell(ctx, order);
    },
  },
  packed: {
    run: async (ctx, order) => {
      await requirePacked(ctx, order);
      await tell(ctx, order);
    },
  },
  unpack: { guard: fixedAlready, run: tell },
  ship: {
    guard: notLabelled,
    run: async (ctx, order) => {
      await send(ctx, order);
      await tell(ctx, order);
    },
  },
  shut: { run: loseRest },
  writeOff: {
    guard: async (_ctx, order) => (hasRest(order) ? undefined : '没有仍在途的数量'),
    run: loseRest,
  },
  cancel: {
    run: async (ctx, order) => {
      if ((await holdings(ctx, order)).length > 0) await letGo(ctx, order);
      if (goesThrough(order)) await callOff(ctx, order.id);
    },
  },
};

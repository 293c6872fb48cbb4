import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { remind } from '#modules/message/server/index.ts';

/** Tells those who may see stock that a law of the ledger is broken; once a day. */
export async function remindBroken(ctx: Ctx, broken: number): Promise<void> {
  await remind(ctx, {
    to: { permission: 'erp:inv:view' },
    title: `库存自检发现 ${broken} 处异常`,
    content: '请打开「库存自检」查看异常的规则与明细。系统不会自行修改任何库存。',
    event: 'warehouse.healthBroken',
    dedupeKey: `warehouse.healthBroken:${ctx.clock.today()}`,
  });
}

/** Tells those who keep the warehouses, 30 days ahead, that a lease ends; once per address and end. */
export async function remindLeases(ctx: Ctx): Promise<void> {
  const { rows } = await sql<{ id: string; name: string; until: string }>`
    SELECT id, name, lease_until AS until FROM warehouse.address
     WHERE company_id = ${ctx.companyId} AND lease_until BETWEEN warehouse.today() AND warehouse.today() + 30`.execute(
    ctx.db,
  );
  for (const { id, name, until } of rows) {
    await remind(ctx, {
      to: { permission: 'erp:wh:base:edit' },
      title: `仓库租约将到期：${name}`,
      content: `租约将于 ${until} 到期，请提前续租或安排搬仓。`,
      event: 'warehouse.leaseEnds',
      dedupeKey: `warehouse.leaseEnds:${id}:${until}`,
    });
  }
}

import { sql } from 'kysely';
import type { z } from 'zod';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { conflict } from '#kit/server/errors.ts';
import type { CashSetting, saveCashSetting } from '../contract/setting.ts';

type Kept = CashSetting & { version: number };

const USUAL: Kept = { floor: '0', bankDays: 3, version: 0 };

/** How the company looks at its forecast; version 0 while nobody has set anything. */
export async function settingOf(ctx: Ctx): Promise<Kept> {
  const row = await ctx.db
    .selectFrom('cashflow.setting')
    .select([sql<string>`trim_scale(floor)::text`.as('floor'), 'bank_days as bankDays', 'version'])
    .where('company_id', '=', ctx.companyId)
    .executeTakeFirst();
  return row ?? USUAL;
}

/** Sets floor and days of the bank, where they are still as the caller saw them. @throws conflict where somebody was faster */
export async function saveSetting(ctx: Ctx, body: z.output<typeof saveCashSetting.body>): Promise<Kept> {
  const { floor, bankDays } = await settingOf(ctx);
  const { rows } = await sql<{ version: number }>`
    INSERT INTO cashflow.setting AS s (company_id, floor, bank_days, updated_by_name)
    SELECT ${ctx.companyId}::uuid, ${body.floor}::numeric, ${body.bankDays}::int, ${ctx.userName} WHERE ${body.version}::int = 0
    ON CONFLICT (company_id) DO NOTHING
    RETURNING version`.execute(ctx.db);
  const changed =
    body.version === 0
      ? rows
      : (
          await sql<{ version: number }>`
            UPDATE cashflow.setting SET floor = ${body.floor}::numeric, bank_days = ${body.bankDays}::int, version = version + 1,
                   updated_by_name = ${ctx.userName}, updated_at = kit.now()
             WHERE company_id = ${ctx.companyId} AND version = ${body.version}::int
            RETURNING version`.execute(ctx.db)
        ).rows;
  if (changed.length === 0) throw conflict('设置已被他人修改，请刷新后重试');
  const { version: _, ...after } = body;
  await audit(ctx, {
    action: '修改现金流预测设置',
    resource: 'cashflow.setting',
    before: { floor, bankDays },
    after,
  });
  return settingOf(ctx);
}

import { sql } from 'kysely';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { refused } from '#kit/server/errors.ts';
import { extensionPoint, extensionsOf } from '#kit/server/extension.ts';
import { type AnyRoute, serve } from '#kit/server/http/serve.ts';
import {
  listPlatforms,
  PLATFORM_NAMES,
  type PlatformCode,
  type PlatformRow,
  switchPlatform,
} from '../../contract/platforms.ts';
import { PLATFORM } from '../../contract/shared.ts';

/** A marketplace that the product can work with. */
export interface PlatformUser {
  code: PlatformCode;
  /** Stores that are authorised there: those of the company, or, for the operator, of all companies. */
  stores(ctx: Ctx): Promise<number>;
}

/** Marketplaces that modules work with. */
export const platformUsers = extensionPoint<PlatformUser>('system.platformUsers');

/** The only one that is switched on until the operator decides otherwise. */
const ON_AT_FIRST: readonly PlatformCode[] = ['amazon'];

/** Every marketplace with its state, in the order of the picker. */
export async function platforms(ctx: Ctx): Promise<PlatformRow[]> {
  const rows = await ctx.db
    .selectFrom('system.platform')
    .select(['code', 'is_enabled'])
    .where('company_id', '=', PLATFORM)
    .execute();
  const decided = new Map(rows.map((row) => [row.code, row.is_enabled]));
  const stores = new Map<string, number>();
  for (const user of extensionsOf(ctx.runtime.modules, platformUsers)) stores.set(user.code, await user.stores(ctx));
  return (Object.entries(PLATFORM_NAMES) as [PlatformCode, string][]).map(([code, name]) => ({
    code,
    name,
    enabled: decided.get(code) ?? ON_AT_FIRST.includes(code),
    stores: stores.get(code) ?? 0,
  }));
}

/** @throws AppError B0441 while stores are authorised there */
async function switchTo(ctx: Ctx, code: PlatformCode, enabled: boolean): Promise<void> {
  const before = (await platforms(ctx)).find((row) => row.code === code);
  const name = PLATFORM_NAMES[code];
  if (!enabled && before && before.stores > 0) {
    throw refused(`${name}还有${before.stores}个已授权店铺，不能关闭`, 'B0441');
  }
  const row = { is_enabled: enabled, updated_at: sql<string>`kit.now()`, updated_by_name: ctx.userName };
  await ctx.db
    .insertInto('system.platform')
    .values({ company_id: ctx.companyId, code, ...row })
    .onConflict((on) => on.columns(['company_id', 'code']).doUpdateSet(row))
    .execute();
  await audit(ctx, {
    action: enabled ? '启用平台' : '关闭平台',
    resource: 'system.platform',
    resourceId: code,
    before: { enabled: before?.enabled },
    after: { enabled },
  });
}

export const platformRoutes: AnyRoute[] = [
  serve(listPlatforms, (ctx) => platforms(ctx)),
  serve(switchPlatform, async (ctx, { params, body }) => {
    await switchTo(ctx, params.code, body.enabled);
    return 'success' as const;
  }),
];

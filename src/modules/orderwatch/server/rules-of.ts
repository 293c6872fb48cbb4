import { Decimal } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import { WATCH_CODES, WATCH_KINDS, type WatchCode } from '../contract/kinds.ts';

export interface Rule {
  threshold: string;
  enabled: boolean;
  /** 0 where the company has set nothing. */
  version: number;
}

/** What holds for each kind: what the company set, else the usual. */
export async function rulesOf(ctx: Ctx): Promise<Record<WatchCode, Rule>> {
  const rows = await ctx.db
    .selectFrom('orderwatch.rule')
    .select(['kind', 'threshold', 'enabled', 'version'])
    .where('company_id', '=', ctx.companyId)
    .execute();
  const set = new Map(rows.map((row) => [row.kind, row]));
  const ruleOf = (code: WatchCode): Rule => {
    const row = set.get(code);
    if (!row) return { threshold: WATCH_KINDS[code].threshold, enabled: true, version: 0 };
    return { threshold: new Decimal(row.threshold).toFixed(), enabled: row.enabled, version: row.version };
  };
  return Object.fromEntries(WATCH_CODES.map((code) => [code, ruleOf(code)])) as Record<WatchCode, Rule>;
}

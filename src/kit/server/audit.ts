import type { AuditEntry, Ctx } from './context.ts';

const SECRET = /password|secret|token|credential|pointjson|verifition/i;

/** Copy with the values of secret-looking keys masked; depth-limited, so that a huge body cannot flood the log. */
export function masked(value: unknown, depth = 0): unknown {
  if (depth > 6) return '…';
  if (Array.isArray(value)) return value.slice(0, 50).map((item) => masked(item, depth + 1));
  if (typeof value === 'string') return value.length > 2000 ? `${value.slice(0, 2000)}…` : value;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, SECRET.test(key) ? '***' : masked(inner, depth + 1)]),
  );
}

/** The audit row of an entry, for whoever writes it together with something else; it counts as written. */
export function auditRow(ctx: Ctx, entry: AuditEntry) {
  ctx.audited = true;
  return {
    company_id: ctx.companyId,
    actor_id: ctx.userId,
    actor_name: ctx.userName,
    ip: ctx.ip,
    action: entry.action,
    resource: entry.resource,
    resource_id: entry.resourceId ?? null,
    before: entry.before === undefined ? null : JSON.stringify(masked(entry.before)),
    after: entry.after === undefined ? null : JSON.stringify(masked(entry.after)),
    request_id: ctx.requestId,
  };
}

/** Writes who did what, in the caller's transaction. `before` and `after` hold the changed fields only. */
export async function audit(ctx: Ctx, entry: AuditEntry): Promise<void> {
  await ctx.db.insertInto('kit.audit').values(auditRow(ctx, entry)).execute();
}

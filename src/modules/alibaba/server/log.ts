import { sql } from 'kysely';
import { inTenant, type Runtime, systemPrincipal } from '#kit/server/runtime.ts';
import { logCall, maskedBody } from '#modules/marketplace/server/index.ts';
import type { BuyerRef } from './tokens.ts';

/** Names of buyers as the platform knows them; they never change. */
const names = new WeakMap<object, Map<string, string>>();

async function nameOf(runtime: Runtime, buyer: BuyerRef): Promise<string> {
  const known = names.get(runtime.connections) ?? new Map<string, string>();
  names.set(runtime.connections, known);
  const name = known.get(buyer.id);
  if (name !== undefined) return name;
  const { rows } = await inTenant(runtime, systemPrincipal(buyer.companyId), (ctx) =>
    sql<{ name: string }>`
      SELECT login_id AS name FROM alibaba.buyer WHERE company_id = ${ctx.companyId} AND id = ${buyer.id}`.execute(
      ctx.db,
    ),
  );
  const found = rows[0]?.name ?? '';
  known.set(buyer.id, found);
  return found;
}

/** A call of the platform as 接口日志 shows it. */
export interface Called {
  /** "com.alibaba.trade/alibaba.trade.fastCreateOrder" */
  api: string;
  path: string;
  /** What was asked, without token and signature. */
  params: Readonly<Record<string, string>>;
  /** Null where no answer came. */
  status: number | null;
  ms: number;
  /** From 1. */
  attempt: number;
  answer: unknown;
  problem: string | null;
}

/**
 * Notes a call beside those of Amazon's; what went and came is kept of a failed one only, without secrets and people. Never
 * fails: the call itself was made.
 */
export async function noteCall(runtime: Runtime, buyer: BuyerRef, called: Called): Promise<void> {
  const failed = called.status === null || called.status >= 400;
  const name = await nameOf(runtime, buyer).catch(() => '');
  logCall(runtime, {
    companyId: buyer.companyId,
    accountId: buyer.id,
    caller: `1688 ${name}`,
    operation: `1688.${called.api.split('/').at(-1) ?? called.api}`,
    method: 'POST',
    path: `/${called.path}`,
    status: called.status,
    ms: Math.round(called.ms),
    requestId: null,
    rate: null,
    attempt: called.attempt,
    problem: called.problem,
    requestBody: failed ? maskedBody(called.params) : null,
    responseBody: failed ? maskedBody(called.answer) : null,
  });
}

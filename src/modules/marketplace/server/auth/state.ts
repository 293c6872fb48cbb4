import { createHash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { notFound, refused } from '#kit/server/errors.ts';
import { inSystem, type Runtime } from '#kit/server/runtime.ts';
import type { Region } from '../../contract/marketplaces.ts';

const LIFE_MINUTES = 10;
const EXPIRED = '授权链接已失效，请重新发起授权';

export type ConsentKind = 'seller' | 'ads';

/** A consent that is under way, as whoever began it left it. */
export interface ConsentState {
  company_id: string;
  user_id: string;
  store_id: string;
  region: Region;
  account_id: string | null;
  result: { id: string } | null;
}

function hashOf(nonce: string): string {
  return createHash('sha256').update(nonce).digest('hex');
}

export interface NewState {
  kind: ConsentKind;
  storeId: string;
  region: Region;
  /** The account being renewed. */
  accountId?: string | undefined;
}

/**
 * Remembers who asks for what under a nonce of 256 bits that works once within ten minutes; only its hash is kept. The
 * store must be one of the caller's own.
 */
export async function newState(ctx: Ctx, { kind, storeId, region, accountId }: NewState): Promise<string> {
  const store = await ctx.db
    .selectFrom('marketplace.store')
    .select('id')
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', storeId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (!store || ctx.userId === null) throw notFound('店铺不存在或已删除');
  const nonce = randomBytes(32).toString('base64url');
  await ctx.db
    .insertInto('marketplace.oauth_state')
    .values({
      nonce_hash: hashOf(nonce),
      kind,
      company_id: ctx.companyId,
      user_id: ctx.userId,
      store_id: storeId,
      region,
      account_id: accountId ?? null,
      expires_at: sql`kit.now() + make_interval(mins => ${LIFE_MINUTES})`,
    })
    .execute();
  return nonce;
}

/**
 * Marks the state as used and returns it; one used before is returned with its first result. @throws AppError B0303
 * where it is missing, forged, of the other kind, used without a result, or too old
 */
export async function takeState(runtime: Runtime, nonce: string, kind: ConsentKind): Promise<ConsentState> {
  const state = await inSystem(runtime, async (db) => {
    const { rows } = await sql<ConsentState & { fresh: boolean }>`
      UPDATE marketplace.oauth_state SET used_at = coalesce(used_at, kit.now())
       WHERE nonce_hash = ${hashOf(nonce)} AND kind = ${kind} AND expires_at > kit.now()
      RETURNING company_id, user_id, store_id, region, account_id, new.result, old.used_at IS NULL AS fresh`.execute(
      db,
    );
    return rows[0];
  });
  if (!state) throw refused(EXPIRED, 'B0303');
  if (!state.fresh && !state.result) throw refused(EXPIRED, 'B0303');
  return state;
}

/** Lets the state be used once more, where nothing came of it and the token endpoint was to blame. */
export async function giveBack(runtime: Runtime, nonce: string): Promise<void> {
  await inSystem(runtime, async (db) => {
    await sql`UPDATE marketplace.oauth_state SET used_at = NULL
      WHERE nonce_hash = ${hashOf(nonce)} AND result IS NULL`.execute(db);
  });
}

/** Writes what the consent led to, so that a reloaded result page shows the same. */
export async function rememberResult(ctx: Ctx, nonce: string, result: { id: string }): Promise<void> {
  await sql`UPDATE marketplace.oauth_state SET result = ${JSON.stringify(result)}
    WHERE nonce_hash = ${hashOf(nonce)} AND company_id = ${ctx.companyId}`.execute(ctx.db);
}

/** Whoever began the consent, for the transaction that ends it. */
export function beginnerOf(state: ConsentState, userName: string) {
  return {
    sessionId: null,
    companyId: state.company_id,
    userId: state.user_id,
    userName,
    permissions: undefined,
  };
}

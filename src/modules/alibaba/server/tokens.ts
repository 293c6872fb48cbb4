import { sql } from 'kysely';
import { z } from 'zod';
import type { AlibabaConfig } from '#kit/server/config.ts';
import { refused } from '#kit/server/errors.ts';
import { inTenant, type Runtime, systemPrincipal } from '#kit/server/runtime.ts';
import { ConsentLost, Unanswered } from './port.ts';
import { instantOf } from './times.ts';

/** A buyer account as calls need it. */
export interface BuyerRef {
  companyId: string;
  id: string;
}

/** The configured platform; refuses in words where none is. @throws refused B1101 */
export function configOf(runtime: Pick<Runtime, 'config'>): AlibabaConfig {
  const { alibaba } = runtime.config;
  if (!alibaba) throw refused('尚未配置1688开放平台，请联系管理员', 'B1101');
  return alibaba;
}

/** How long an answer is waited for, ms: ten times the first pause after a failure. */
export const patience = (runtime: Pick<Runtime, 'config'>) => runtime.config.retryBaseMs * 10;

const Answer = z.object({
  access_token: z.string(),
  expires_in: z.coerce.number(),
  refresh_token: z.string().optional(),
  refresh_token_timeout: z.string().optional(),
  memberId: z.string().optional(),
  resource_owner: z.string().optional(),
});

export interface Tokens {
  access: string;
  seconds: number;
  refresh: string | undefined;
  refreshUntil: string | undefined;
  memberId: string;
  loginId: string;
}

/**
 * Asks the token endpoint. @param form the grant, without the application's own fields
 * @throws ConsentLost where the grant is refused, Unanswered where no answer came
 */
export async function askTokens(runtime: Runtime, form: Record<string, string>): Promise<Tokens> {
  const config = configOf(runtime);
  const body = new URLSearchParams({ ...form, client_id: config.appKey, client_secret: config.appSecret });
  let response: Response;
  try {
    response = await fetch(`${config.apiBase}/http/1/system.oauth2/getToken/${config.appKey}`, {
      method: 'POST',
      body,
      signal: AbortSignal.timeout(patience(runtime)),
    });
  } catch (error) {
    throw new Unanswered(error instanceof Error ? error.message : String(error));
  }
  if (response.status >= 500) throw new Unanswered(`HTTP ${response.status}`);
  const parsed = Answer.safeParse(await response.json().catch(() => undefined));
  if (!response.ok || !parsed.success) throw new ConsentLost('1688授权已失效');
  const { data } = parsed;
  return {
    access: data.access_token,
    seconds: data.expires_in,
    refresh: data.refresh_token,
    refreshUntil: instantOf(data.refresh_token_timeout),
    memberId: data.memberId ?? '',
    loginId: data.resource_owner ?? data.memberId ?? '',
  };
}

interface Row {
  state: string;
  fresh: boolean;
  access: string | null;
  refresh: string | null;
}

/** Share of a token's life after which it is renewed. */
const RENEW_AT = 0.9;

/**
 * An access token of a buyer, renewed under the row's lock: many callers renew once. A refused grant ends the consent.
 * @param seen the token that was refused; another one that is there by now is used as it is
 * @throws ConsentLost, Unanswered
 */
export async function accessToken(runtime: Runtime, buyer: BuyerRef, seen?: string): Promise<string> {
  const token = await inTenant(runtime, systemPrincipal(buyer.companyId), async (ctx) => {
    const { rows } = await sql<Row>`
      SELECT state, access_token_sealed AS access, refresh_token_sealed AS refresh,
             coalesce(access_expires_at > kit.now(), false) AS fresh
        FROM alibaba.buyer WHERE company_id = ${ctx.companyId} AND id = ${buyer.id} FOR UPDATE`.execute(ctx.db);
    const [row] = rows;
    if (row?.state !== 'active' || row.refresh === null) return undefined;
    const known = row.access === null ? undefined : runtime.secrets.decrypt(row.access);
    if (row.fresh && known !== undefined && known !== seen) return known;
    try {
      const fresh = await askTokens(runtime, {
        grant_type: 'refresh_token',
        refresh_token: runtime.secrets.decrypt(row.refresh),
      });
      await sql`
        UPDATE alibaba.buyer SET access_token_sealed = ${runtime.secrets.encrypt(fresh.access)},
               access_expires_at = kit.now() + make_interval(secs => ${fresh.seconds * RENEW_AT})
         WHERE company_id = ${ctx.companyId} AND id = ${buyer.id}`.execute(ctx.db);
      return fresh.access;
    } catch (error) {
      if (!(error instanceof ConsentLost)) throw error;
      await sql`
        UPDATE alibaba.buyer SET state = 'lost' WHERE company_id = ${ctx.companyId} AND id = ${buyer.id}`.execute(
        ctx.db,
      );
      return undefined;
    }
  });
  if (token === undefined) throw new ConsentLost('1688授权已失效，请重新授权');
  return token;
}

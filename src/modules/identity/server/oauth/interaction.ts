import { sql } from 'kysely';
import type { InteractionResults, Provider } from 'oidc-provider';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { notFound, refused } from '#kit/server/errors.ts';
import type { OpenCtx } from '#kit/server/http/serve.ts';
import { inSystem, inTenant } from '#kit/server/runtime.ts';
import { type Asked, OAUTH_PROBLEMS, SCOPES, type Scope } from '../../contract/oauth.ts';
import { hashOf } from '../sessions.ts';
import { holderOf } from '../sso/browser.ts';
import { clientCalled, type KnownClient } from './clients.ts';
import { agreedBefore, insertGrant, type NewGrant } from './grants.ts';
import { clientProvider } from './provider.ts';

type Interaction = InstanceType<Provider['Interaction']>;

const lost = () => refused(OAUTH_PROBLEMS.invalid_request ?? '', 'B0195');

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/**
 * A log-in under way, for the browser that the client sent here and for no other: whoever could have somebody else end
 * the log-in that he began would be logged in at the client as that person. @throws AppError B0195
 */
async function underWay(open: OpenCtx, uid: string): Promise<Interaction> {
  const provider = await clientProvider(open.runtime);
  const found = await provider.Interaction.find(uid);
  const holder = holderOf(open.runtime.config, open);
  if (!found || found.result || !holder || found.prompt.details.browser !== hashOf(holder)) throw lost();
  return found;
}

async function clientOf(open: OpenCtx, interaction: Interaction): Promise<KnownClient> {
  const id = text(interaction.params.client_id);
  const client = await inSystem(open.runtime, (db) => clientCalled(db, id), { readOnly: true });
  if (!client) throw refused(OAUTH_PROBLEMS.invalid_client ?? '', 'B0196');
  return client;
}

/** Of what the client asks for, what there is and what the operator lets it have. */
function scopesOf(interaction: Interaction, client: KnownClient): Scope[] {
  const asked = new Set(text(interaction.params.scope).split(' '));
  return (Object.keys(SCOPES) as Scope[]).filter((scope) => asked.has(scope) && client.scopes.includes(scope));
}

interface Caller {
  name: string;
  account: string;
  company: string;
  /** Epoch seconds at which the session began. */
  since: number;
}

async function callerIn(ctx: Ctx): Promise<Caller> {
  const { rows } = await sql<Caller>`
    SELECT m.name, m.account, c.name AS company, floor(extract(epoch FROM s.created_at - kit.clock_shift()))::int AS since
      FROM identity.session s JOIN identity.member m ON m.company_id = s.company_id AND m.id = s.member_id
      JOIN identity.company c ON c.company_id = s.company_id
     WHERE s.company_id = ${ctx.companyId} AND s.id = ${ctx.sessionId}`.execute(ctx.db);
  if (!rows[0]) throw notFound();
  return rows[0];
}

/** prompt=login and max_age ask for a log-in that is young enough (OpenID Connect Core 1.0, section 3.1.2.1). */
function tooOld({ params, iat }: Interaction, since: number): boolean {
  if (text(params.prompt).split(' ').includes('login')) return since < iat;
  return params.max_age !== undefined && iat - since > Number(params.max_age);
}

function grantFor(ctx: Ctx, client: KnownClient, scopes: readonly Scope[]): NewGrant {
  if (!ctx.userId || !ctx.sessionId) throw lost();
  return { companyId: ctx.companyId, memberId: ctx.userId, sessionId: ctx.sessionId, clientRef: client.id, scopes };
}

const optionsOf = (open: OpenCtx) => ({ requestId: open.requestId, ip: open.ip });

/** Tells the person what a client asks for. @throws AppError B0195, B0196 */
export async function asked(open: OpenCtx, uid: string): Promise<Asked> {
  const interaction = await underWay(open, uid);
  const client = await clientOf(open, interaction);
  const scopes = scopesOf(interaction, client);
  return inTenant(
    open.runtime,
    open.principal,
    async (ctx) => {
      const { name, account, company, since } = await callerIn(ctx);
      const again = tooOld(interaction, since);
      const insists = text(interaction.params.prompt).split(' ').includes('consent');
      const known = client.autoApprove || (await agreedBefore(ctx.db, grantFor(ctx, client, scopes)));
      const back = new URL(text(interaction.params.redirect_uri)).host;
      return { client: client.name, back, name, account, company, scopes, ask: insists || !known, again };
    },
    { ...optionsOf(open), readOnly: true },
  );
}

/** Writes the grant and who gave it; returns its id. */
async function agree(ctx: Ctx, interaction: Interaction, client: KnownClient): Promise<InteractionResults> {
  const { since } = await callerIn(ctx);
  if (tooOld(interaction, since)) throw refused('该应用要求重新登录', 'B0197');
  const scopes = scopesOf(interaction, client);
  const grant = grantFor(ctx, client, scopes);
  const grantId = await insertGrant(ctx.db, grant);
  await audit(ctx, {
    action: client.autoApprove ? '登录应用（自动放行）' : '同意应用登录',
    resource: 'identity.oauth_client',
    resourceId: client.id,
    after: { client: client.name, clientId: client.clientId, scopes },
  });
  return { login: { accountId: grant.memberId, ts: since }, consent: { grantId } };
}

async function decline(ctx: Ctx, client: KnownClient): Promise<InteractionResults> {
  await audit(ctx, {
    action: '拒绝应用登录',
    resource: 'identity.oauth_client',
    resourceId: client.id,
    after: { client: client.name, clientId: client.clientId },
  });
  return { error: 'access_denied', error_description: 'the end-user refused' };
}

/** Ends a log-in under way as its person wishes; returns where the browser goes. @throws AppError B0195-B0197 */
export async function answered(open: OpenCtx, uid: string, agreed: boolean): Promise<{ location: string }> {
  const interaction = await underWay(open, uid);
  const client = await clientOf(open, interaction);
  interaction.result = await inTenant(
    open.runtime,
    open.principal,
    (ctx) => (agreed ? agree(ctx, interaction, client) : decline(ctx, client)),
    optionsOf(open),
  );
  await interaction.persist();
  return { location: interaction.returnTo };
}

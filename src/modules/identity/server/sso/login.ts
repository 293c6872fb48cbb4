import { sql } from 'kysely';
import * as oidc from 'openid-client';
import { AppError } from '#kit/server/errors.ts';
import { type PublicCtx, RedirectReply } from '#kit/server/http/serve.ts';
import { inSystem } from '#kit/server/runtime.ts';
import { enter, MFA_NEEDED } from '../enter.ts';
import { recordLogin } from '../members.ts';
import { onDevice } from '../security/new-device.ts';
import { hashOf } from '../sessions.ts';
import { memberFor } from './account.ts';
import { holderCookie, holderFor, holderOf, signatureOf } from './browser.ts';
import { openFlow, takeFlow } from './flow.ts';
import { personFrom, type SsoPerson } from './person.ts';
import { problemCode, SsoProblem } from './problem.ts';
import { callbackOf, pagesOf, providerOf, ssoOf } from './provider.ts';

/** The page that takes over, with a session id, the second step of a log-in, or the code of a problem. */
function landing(ctx: PublicCtx, rest: string): string {
  return `${pagesOf(ctx.runtime.config)}/ssologin${rest}`;
}

function stopped(ctx: PublicCtx, error: unknown): RedirectReply {
  const code = problemCode(error);
  if (code === undefined) {
    ctx.runtime.log.error({ err: error, requestId: ctx.requestId }, 'single sign-on failed');
  } else {
    const cause = error instanceof Error ? error.cause : undefined;
    ctx.runtime.log.info({ code, cause, requestId: ctx.requestId }, 'single sign-on refused');
  }
  return new RedirectReply(landing(ctx, `?error=${code ?? 'failed'}`));
}

/** Sends a browser to the provider, with a secret of its own by which it is known when it comes back. */
export async function beginSso(ctx: PublicCtx): Promise<RedirectReply> {
  const { config, secrets } = ctx.runtime;
  const sso = ssoOf(ctx.runtime);
  try {
    const provider = await providerOf(ctx.runtime);
    const holder = holderFor(config, ctx);
    const state = oidc.randomState();
    const flow = { nonce: oidc.randomNonce(), verifier: oidc.randomPKCECodeVerifier() };
    await inSystem(ctx.runtime, (db) => openFlow(db, secrets, state, holder, flow));
    const url = oidc.buildAuthorizationUrl(provider, {
      redirect_uri: callbackOf(config),
      scope: sso.scopes,
      state,
      nonce: flow.nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(flow.verifier),
      code_challenge_method: 'S256',
    });
    return new RedirectReply(url.href, [holderCookie(config, holder)]);
  } catch (error) {
    return stopped(ctx, error);
  }
}

interface Back {
  code?: string | undefined;
  state?: string | undefined;
  iss?: string | undefined;
  error?: string | undefined;
}

function addressOf(ctx: PublicCtx, back: Back): URL {
  const url = new URL(callbackOf(ctx.runtime.config));
  for (const [name, value] of Object.entries(back)) if (value !== undefined) url.searchParams.set(name, value);
  return url;
}

/** Keeps what ends the provider's session, and by what the provider ends ours. */
async function remember(ctx: PublicCtx, session: string, holder: string, person: SsoPerson): Promise<void> {
  const sealed = ctx.runtime.secrets.encrypt(person.idToken);
  await inSystem(ctx.runtime, (db) =>
    sql`
      INSERT INTO identity.sso_session (company_id, session_id, issuer, sub, sid, holder_hash, id_token_sealed)
      SELECT company_id, id, ${person.issuer}, ${person.sub}, ${person.sid ?? null}, ${hashOf(holder)}, ${sealed}
        FROM identity.session WHERE token_hash = ${hashOf(session)}`.execute(db),
  );
}

/** The second step waits behind "#": that part of an address goes to no server and into no log. */
function secondStep(ctx: PublicCtx, error: unknown): RedirectReply | undefined {
  if (!(error instanceof AppError) || error.code !== MFA_NEEDED) return undefined;
  const { mfaToken, enrol } = error.data as { mfaToken: string; enrol: boolean };
  return new RedirectReply(landing(ctx, `#${new URLSearchParams({ mfaToken, enrol: String(enrol) })}`));
}

async function personBack(ctx: PublicCtx, back: Back, holder: string): Promise<SsoPerson> {
  const state = back.state ?? '';
  const flow = await inSystem(ctx.runtime, (db) => takeFlow(db, ctx.runtime.secrets, state, holder));
  return personFrom(await providerOf(ctx.runtime), addressOf(ctx, back), state, flow);
}

/** Finds the member, and writes down where there is none. */
async function memberBack(ctx: PublicCtx, person: SsoPerson) {
  try {
    return await memberFor(ctx.runtime, person);
  } catch (error) {
    await recordLogin(ctx, person.email ?? person.sub, undefined, false, 'sso');
    throw error;
  }
}

/**
 * Takes a browser that comes back from the provider: opens a session that only this browser can take up, within a
 * minute. Whatever goes wrong ends on the page with the code of a problem, never in another round.
 */
export async function finishSso(ctx: PublicCtx, back: Back): Promise<RedirectReply> {
  const { config } = ctx.runtime;
  ssoOf(ctx.runtime);
  try {
    const holder = holderOf(config, ctx);
    if (!holder) throw new SsoProblem('state');
    const person = await personBack(ctx, back, holder);
    const member = await memberBack(ctx, person);
    const { data, cookies } = await onDevice(ctx, (device) =>
      enter(ctx, member, {
        loginType: 'sso',
        proven: person.severalFactors,
        claim: signatureOf(config, ctx),
        device,
      }),
    );
    const { session } = data;
    await remember(ctx, session, holder, person);
    const id = encodeURIComponent(session);
    return new RedirectReply(landing(ctx, `?jsessionid=${id}`), [holderCookie(config, holder), ...cookies]);
  } catch (error) {
    return secondStep(ctx, error) ?? stopped(ctx, error);
  }
}

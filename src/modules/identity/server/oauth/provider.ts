import type { EventEmitter } from 'node:events';
import { type Configuration, errors, interactionPolicy, type KoaContextWithOIDC, Provider } from 'oidc-provider';
import type { Config } from '#kit/server/config.ts';
import type { Runtime } from '#kit/server/runtime.ts';
import { AUTHORIZE_PAGE } from '../../contract/oauth.ts';
import { hashOf } from '../sessions.ts';
import { holderCookie, holderFor } from '../sso/browser.ts';
import { pagesOf } from '../sso/provider.ts';
import { accountOf, CLAIMS } from './account.ts';
import { adapterOn } from './adapter.ts';
import { secretFits } from './clients.ts';
import { GRANT_SECONDS } from './grants.ts';
import { issuerOf } from './issuer.ts';
import { type ProviderKeys, providerKeys } from './keys.ts';

type Pages = Pick<Config, 'publicUrl'>;

/** Time to log in here, with a first password and a second factor if need be. */
const INTERACTION_SECONDS = 1800;
const CODE_SECONDS = 60;
const ID_TOKEN_SECONDS = 600;
const OFF = { enabled: false } as const;

/** Knows a browser again by its secret; gives it one if it has none. Returns the hash. */
function browserOf(config: Pages, ctx: KoaContextWithOIDC): string {
  const { name } = holderCookie(config, '');
  const holder = holderFor(config, { cookies: { [name]: ctx.cookies.get(name, { signed: false }) } });
  const { maxAge = 0 } = holderCookie(config, holder);
  ctx.cookies.set(name, holder, {
    path: '/',
    maxAge: maxAge * 1000,
    httpOnly: true,
    sameSite: 'lax',
    signed: false,
    overwrite: true,
  });
  return hashOf(holder);
}

/** A log-in under way remembers the browser that began it: nobody else's log-in may end it. */
function policyFor(config: Pages) {
  const policy = interactionPolicy.base();
  const login = policy.get('login');
  if (!login) throw new Error('no prompt for logging in');
  const { details } = login;
  login.details = async (ctx) => ({ ...(await details(ctx)), browser: browserOf(config, ctx) });
  return policy;
}

const ON_PAGE: ReadonlySet<string> = new Set(['authorization', 'resume']);

function render(config: Pages, ctx: KoaContextWithOIDC, out: { error: string }): void {
  if (!ON_PAGE.has(ctx.oidc.route)) {
    ctx.body = out;
    return;
  }
  // A person reads it: on a page of ours, which has the words.
  ctx.status = 303;
  ctx.redirect(`${pagesOf(config)}${AUTHORIZE_PAGE}?error=${encodeURIComponent(out.error)}`);
}

/** The person at the end of a log-in, or behind a token: always by the grant, which knows his session. */
async function findAccount(
  runtime: Runtime,
  ctx: KoaContextWithOIDC,
  token: { grantId?: string | undefined } | undefined,
) {
  const grantId = token ? token.grantId : ctx.oidc.result?.consent?.grantId;
  const account = grantId ? await accountOf(runtime, grantId) : undefined;
  if (!account && !token) throw new errors.AccessDenied('the session is over');
  return account;
}

function configurationFor(runtime: Runtime, keys: ProviderKeys): Configuration {
  const { config } = runtime;
  return {
    adapter: adapterOn(runtime),
    jwks: { keys: [keys.signing] },
    claims: CLAIMS,
    scopes: Object.keys(CLAIMS),
    subjectTypes: ['public'],
    responseTypes: ['code'],
    clientAuthMethods: ['client_secret_basic', 'client_secret_post'],
    enabledJWA: { idTokenSigningAlgValues: ['RS256'] },
    extraClientMetadata: { properties: ['token_seconds'] },
    clientBasedCORS: () => false,
    allowOmittingSingleRegisteredRedirectUri: false,
    // OAuth 2.1: a code is worth nothing to whoever did not ask for it, whatever kind of client did.
    pkce: { required: () => true },
    rotateRefreshToken: true,
    issueRefreshToken: (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    // Grants hang on sessions of the product instead: see adapterOn.
    expiresWithSession: () => false,
    findAccount: (ctx, _sub, token) => findAccount(runtime, ctx, token),
    renderError: (ctx, out) => render(config, ctx, out),
    interactions: {
      policy: policyFor(config),
      url: (_ctx, interaction) => `${pagesOf(config)}${AUTHORIZE_PAGE}?uid=${interaction.uid}`,
    },
    features: {
      devInteractions: OFF,
      dPoP: OFF,
      pushedAuthorizationRequests: OFF,
      resourceIndicators: OFF,
      rpInitiatedLogout: OFF,
      introspection: { enabled: true, allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId },
      revocation: { enabled: true, allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId },
    },
    cookies: {
      keys: [keys.cookies],
      names: { session: 'oauth2-session', interaction: 'oauth2-interaction', resume: 'oauth2-resume' },
      long: { signed: true, httpOnly: true, sameSite: 'lax' },
      short: { signed: true, httpOnly: true, sameSite: 'lax' },
    },
    ttl: {
      Interaction: INTERACTION_SECONDS,
      AuthorizationCode: CODE_SECONDS,
      AccessToken: (_ctx, _token, client) => Number(client.token_seconds),
      RefreshToken: GRANT_SECONDS,
      Grant: GRANT_SECONDS,
      IdToken: ID_TOKEN_SECONDS,
      Session: INTERACTION_SECONDS,
    },
  };
}

/** The description names ways back to a client that no client has: see metadataOf. */
async function tellTruth(ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> {
  await next();
  if (ctx.oidc?.route === 'discovery') ctx.body = { ...(ctx.body as object), response_modes_supported: ['query'] };
}

function report({ log }: Runtime, provider: Provider): void {
  const failed = (error: unknown) => log.error({ err: error }, 'log-in for a client failed');
  provider.on('server_error', (_ctx, error) => failed(error));
  // What happens outside of a call of the protocol: its types do not name the event.
  const emitter: EventEmitter = provider;
  emitter.on('error', failed);
  const refused = (_ctx: unknown, error: Error) => log.info({ cause: error.message }, 'client refused');
  provider.on('authorization.error', refused);
  provider.on('grant.error', refused);
  provider.on('userinfo.error', refused);
  provider.on('introspection.error', refused);
}

async function build(runtime: Runtime): Promise<Provider> {
  const keys = await providerKeys(runtime);
  const provider = new Provider(issuerOf(runtime.config), configurationFor(runtime, keys));
  // The forwarded headers say what the settings say, whatever a caller sent: see mount.ts.
  provider.proxy = true;
  provider.Client.prototype.compareClientSecret = function (actual: string) {
    return secretFits(this.clientSecret ?? '', actual);
  };
  provider.use((ctx, next) => tellTruth(ctx as KoaContextWithOIDC, next));
  report(runtime, provider);
  return provider;
}

const known = new WeakMap<Runtime, Promise<Provider>>();

/** The provider of this process; it remembers nothing but its key and the clients that it has seen. */
export function clientProvider(runtime: Runtime): Promise<Provider> {
  const found = known.get(runtime);
  if (found) return found;
  const fresh = build(runtime);
  known.set(runtime, fresh);
  fresh.catch(() => known.delete(runtime));
  return fresh;
}

import * as oidc from 'openid-client';
import type { Config, SsoConfig } from '#kit/server/config.ts';
import { refused } from '#kit/server/errors.ts';
import type { Runtime } from '#kit/server/runtime.ts';
import { SSO_PROBLEMS } from '../../contract/sso.ts';
import { SsoProblem } from './problem.ts';

const PROBE_SECONDS = 2;
const CALL_SECONDS = 10;
/** An answer to "does it run" is good this long. */
const ANSWER_MS = 10_000;
/** The provider's description of itself is read again this often. */
const DESCRIPTION_MS = 3_600_000;

interface Known {
  probe?: { at: number; up: Promise<boolean> };
  description?: { at: number; value: oidc.Configuration };
}

const known = new WeakMap<Runtime, Known>();

function knownOf(runtime: Runtime): Known {
  const found = known.get(runtime) ?? {};
  known.set(runtime, found);
  return found;
}

/** The settings; refuses with B0190 where there are none. */
export function ssoOf(runtime: Runtime): SsoConfig {
  if (!runtime.config.sso) throw refused(SSO_PROBLEMS.off ?? '', 'B0190');
  return runtime.config.sso;
}

/** Address of the pages, without a slash at the end. */
export function pagesOf(config: Pick<Config, 'publicUrl'>): string {
  return config.publicUrl.replace(/\/$/, '');
}

/** The address that browsers know as the auth server. */
export function authServer(config: Pick<Config, 'publicUrl' | 'sso'>): string {
  return config.sso?.address ?? `${pagesOf(config)}/sso`;
}

/** Where the provider sends browsers back to; registered there letter by letter. */
export function callbackOf(config: Pick<Config, 'publicUrl' | 'sso'>): string {
  return `${authServer(config)}/callback`;
}

/** Providers that do not say so take the secret in a header only (OpenID Connect Discovery 1.0, section 3). */
function authenticated(found: oidc.Configuration, sso: SsoConfig): oidc.ClientAuth {
  if (sso.clientSecret === undefined) return oidc.None();
  const methods = found.serverMetadata().token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  return methods.includes('client_secret_basic')
    ? oidc.ClientSecretBasic(sso.clientSecret)
    : oidc.ClientSecretPost(sso.clientSecret);
}

async function discovered(sso: SsoConfig, timeout: number): Promise<oidc.Configuration> {
  const issuer = new URL(sso.issuer);
  // The settings allow plain http for this machine alone.
  const insecure = issuer.protocol === 'http:' ? [oidc.allowInsecureRequests] : [];
  const found = await oidc.discovery(issuer, sso.clientId, undefined, oidc.None(), { timeout, execute: insecure });
  const configuration = new oidc.Configuration(found.serverMetadata(), sso.clientId, {}, authenticated(found, sso));
  configuration.timeout = CALL_SECONDS;
  oidc.enableNonRepudiationChecks(configuration);
  for (const allow of insecure) allow(configuration);
  return configuration;
}

async function read(runtime: Runtime, timeout: number): Promise<oidc.Configuration> {
  const entry = knownOf(runtime);
  const value = await discovered(ssoOf(runtime), timeout);
  // What is fresh stays: it remembers the provider's keys.
  if (!entry.description || Date.now() - entry.description.at > DESCRIPTION_MS) {
    entry.description = { at: Date.now(), value };
  }
  return entry.description.value;
}

/** Whether the provider answers within two seconds; the answer is good for ten. */
export function providerRuns(runtime: Runtime): Promise<boolean> {
  const entry = knownOf(runtime);
  if (!entry.probe || Date.now() - entry.probe.at > ANSWER_MS) {
    const up = read(runtime, PROBE_SECONDS).then(
      () => true,
      () => false,
    );
    entry.probe = { at: Date.now(), up };
  }
  return entry.probe.up;
}

/** The provider as it describes itself. @throws SsoProblem "down" */
export async function providerOf(runtime: Runtime): Promise<oidc.Configuration> {
  const { description } = knownOf(runtime);
  if (description && Date.now() - description.at <= DESCRIPTION_MS) return description.value;
  try {
    return await read(runtime, CALL_SECONDS);
  } catch (error) {
    throw new SsoProblem('down', error);
  }
}

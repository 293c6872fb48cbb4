import type { Config } from '#kit/server/config.ts';
import { pagesOf } from '../sso/provider.ts';

/** As the provider for clients names itself. */
export function issuerOf(config: Pick<Config, 'publicUrl'>): string {
  return `${pagesOf(config)}/oauth2`;
}

/** Where a client reads how to talk to the provider (OpenID Connect Discovery 1.0, section 4). */
export function discoveryOf(config: Pick<Config, 'publicUrl'>): string {
  return `${issuerOf(config)}/.well-known/openid-configuration`;
}

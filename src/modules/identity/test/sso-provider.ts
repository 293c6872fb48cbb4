import { generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Configuration, Provider } from 'oidc-provider';

export const CLIENT = { id: 'erp', secret: 'not-a-secret-outside-of-tests-0123456789' } as const;

/** What the provider says of somebody; the subject is what he types as his log-in. */
export interface Claims {
  email?: string;
  email_verified?: boolean;
  name?: string;
}

export interface TestProvider {
  issuer: string;
  /** Who is known, by subject. */
  people: Map<string, Claims>;
  /** A token with these claims, signed as the provider signs; `header` replaces parts of its header. */
  signed(payload: object, header?: object): string;
  close(): Promise<void>;
}

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

/** A port that nobody has just now. */
export async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listening(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function signer() {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const kid = randomUUID();
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return {
    jwk: { ...privateKey.export({ format: 'jwk' }), kid, use: 'sig', alg: 'RS256' },
    signed(payload: object, header: object = {}) {
      const text = `${part({ alg: 'RS256', kid, typ: 'logout+jwt', ...header })}.${part(payload)}`;
      return `${text}.${sign('sha256', Buffer.from(text), privateKey).toString('base64url')}`;
    },
  };
}

/** The provider calls no address of this machine, which guards it against its clients; the product under test is one. */
function withoutGuard(pages: string, address: string | URL | Request, options: RequestInit = {}): RequestInit {
  if (new URL(address instanceof Request ? address.url : address).origin !== pages) return options;
  const { dispatcher: _guard, ...rest } = options as RequestInit & { dispatcher?: unknown };
  return rest;
}

function configurationOf(pages: string, people: Map<string, Claims>, jwk: object): Configuration {
  return {
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        redirect_uris: [`${pages}/sso/callback`],
        post_logout_redirect_uris: [`${pages}/login`],
        backchannel_logout_uri: `${pages}/sso/backchannel`,
        backchannel_logout_session_required: true,
      },
    ],
    findAccount: (_ctx, sub) => ({ accountId: sub, claims: async () => ({ sub, ...people.get(sub) }) }),
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    features: { devInteractions: { enabled: true }, backchannelLogout: { enabled: true } },
    pkce: { required: () => true },
    jwks: { keys: [jwk] },
    cookies: { keys: ['test'] },
    fetch: (address, options) => fetch(address, withoutGuard(pages, address, options)),
    ttl: { Session: 3600, Interaction: 600, Grant: 3600, IdToken: 600, AccessToken: 600 },
  };
}

/** A real OpenID provider in memory, whose one client is the product at `pages`. */
export async function startProvider(pages: string): Promise<TestProvider> {
  const people = new Map<string, Claims>();
  const { jwk, signed } = signer();
  const server = createServer();
  const issuer = `http://127.0.0.1:${await listening(server)}`;
  const provider = new Provider(issuer, configurationOf(pages, people, jwk));
  server.on('request', provider.callback());
  return {
    issuer,
    people,
    signed,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

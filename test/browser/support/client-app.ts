import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as oidc from 'openid-client';

/** Another system of the house, whose people log in with their accounts at the product. */
export interface ClientApp {
  /** Its first page, which sends whoever comes to be logged in; parameters are handed on. */
  address: string;
  /** Where it wants people back. */
  back: string;
  /** Gives it what the operator got when he entered it. */
  configure(discovery: string, clientId: string, secret: string): Promise<void>;
  close(): Promise<void>;
}

interface Visit {
  checks: oidc.AuthorizationCodeGrantChecks & { pkceCodeVerifier: string };
  token: string;
  sub: string;
}

function errorOf(error: unknown): string {
  if (error instanceof oidc.ResponseBodyError || error instanceof oidc.AuthorizationResponseError) return error.error;
  if (error instanceof oidc.WWWAuthenticateChallengeError) return error.cause[0]?.parameters.error ?? 'unauthorized';
  throw error;
}

async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Starts the other system. It serves one visitor, and says on its pages what it knows of him. */
export async function startClientApp(): Promise<ClientApp> {
  let client: oidc.Configuration | undefined;
  const visit: Visit = { checks: { pkceCodeVerifier: '' }, token: '', sub: '' };
  const server = createServer();
  const address = await listening(server);
  const back = `${address}/back`;

  const leave = async (at: oidc.Configuration, url: URL): Promise<string> => {
    const pkceCodeVerifier = oidc.randomPKCECodeVerifier();
    visit.checks = { pkceCodeVerifier, expectedState: oidc.randomState(), expectedNonce: oidc.randomNonce() };
    return oidc.buildAuthorizationUrl(at, {
      redirect_uri: back,
      scope: 'openid profile',
      state: visit.checks.expectedState as string,
      nonce: visit.checks.expectedNonce as string,
      code_challenge: await oidc.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
      ...Object.fromEntries(url.searchParams),
    }).href;
  };
  const welcome = async (at: oidc.Configuration, url: URL): Promise<string> => {
    const tokens = await oidc.authorizationCodeGrant(at, url, visit.checks);
    visit.token = tokens.access_token;
    visit.sub = tokens.claims()?.sub ?? '';
    const { name, company } = await oidc.fetchUserInfo(at, visit.token, visit.sub);
    return `welcome ${name} of ${company}`;
  };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', address);
    if (!client || !['/', '/back', '/me'].includes(url.pathname)) return void response.writeHead(404).end();
    if (url.pathname === '/') return void response.writeHead(302, { location: await leave(client, url) }).end();
    const known = url.pathname === '/back' ? welcome(client, url) : oidc.fetchUserInfo(client, visit.token, visit.sub);
    const text = await known.then(
      (value) => (typeof value === 'string' ? value : 'still in'),
      (error: unknown) => `refused: ${errorOf(error)}`,
    );
    response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' }).end(text);
  };
  server.on('request', (request, response) => void answer(request, response));

  return {
    address,
    back,
    async configure(discovery, clientId, secret) {
      client = await oidc.discovery(new URL(discovery), clientId, undefined, oidc.ClientSecretBasic(secret), {
        execute: [oidc.allowInsecureRequests],
      });
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

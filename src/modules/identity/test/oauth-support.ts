import * as oidc from 'openid-client';
import type { Envelope } from '#kit/contract/envelope.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import type { Asked } from '../contract/oauth.ts';
import { addClient, type ClientForm } from '../contract/operator.ts';
import { putOperator } from '../server/index.ts';
import { loginAs } from './organisation-support.ts';
import { type Landed, TestBrowser } from './sso-browser.ts';
import { freePort } from './sso-provider.ts';
import { PASSWORD } from './support.ts';

/** Where clients want to have their users back; nobody listens there. */
export const BACK = 'http://127.0.0.1:9/back';

export interface RegisteredClient {
  id: string;
  clientId: string;
  secret: string;
}

export interface OauthWorld {
  world: World;
  /** Address of the product. */
  pages: string;
  operator: Person;
  register(clientId: string, more?: Partial<ClientForm>): Promise<RegisteredClient>;
}

/** The product, listening, with an operator who enters clients. */
export async function createOauthWorld(): Promise<OauthWorld> {
  const port = await freePort();
  const pages = `http://127.0.0.1:${port}`;
  const world = await createWorld({ publicUrl: pages });
  await world.app.listen({ port, host: '127.0.0.1' });
  await putOperator(world.runtime, { account: 'op@example.com', password: PASSWORD, name: '运营' });
  const operator = await loginAs(world, 'op@example.com', PASSWORD);
  return {
    world,
    pages,
    operator,
    register: (clientId, more = {}) =>
      operator.call(addClient, {
        body: {
          clientId,
          name: '报表门户',
          scopes: ['openid', 'profile', 'email'],
          grants: ['authorization_code', 'refresh_token'],
          redirectUris: [BACK],
          ...more,
        },
      }),
  };
}

/** The other side: an ordinary OpenID Connect client that reads the description and checks everything it gets. */
export async function clientSide(
  on: Pick<OauthWorld, 'pages'>,
  client: Pick<RegisteredClient, 'clientId' | 'secret'>,
  fetch?: oidc.CustomFetch,
): Promise<oidc.Configuration> {
  const found = await oidc.discovery(
    new URL(`${on.pages}/oauth2`),
    client.clientId,
    undefined,
    oidc.ClientSecretBasic(client.secret),
    { execute: [oidc.allowInsecureRequests], ...(fetch ? { [oidc.customFetch]: fetch } : {}) },
  );
  oidc.enableNonRepudiationChecks(found);
  return found;
}

/** A log-in that a client began: where the browser landed, and what the client checks its end by. */
export interface Begun {
  landed: Landed;
  /** Names the log-in under way. */
  uid: string;
  checks: oidc.AuthorizationCodeGrantChecks & {
    pkceCodeVerifier: string;
    expectedState: string;
    expectedNonce: string;
  };
}

/** Sends a browser from a client to the product. */
export async function begin(
  client: oidc.Configuration,
  browser: TestBrowser,
  more: Record<string, string> = {},
): Promise<Begun> {
  const checks = {
    pkceCodeVerifier: oidc.randomPKCECodeVerifier(),
    expectedState: oidc.randomState(),
    expectedNonce: oidc.randomNonce(),
    idTokenExpected: true,
  };
  const url = oidc.buildAuthorizationUrl(client, {
    redirect_uri: BACK,
    scope: 'openid profile email',
    state: checks.expectedState,
    nonce: checks.expectedNonce,
    code_challenge: await oidc.calculatePKCECodeChallenge(checks.pkceCodeVerifier),
    code_challenge_method: 'S256',
    ...more,
  });
  const landed = await browser.open(url);
  const location = landed.headers.get('location') ?? '';
  const uid = URL.canParse(location) ? (new URL(location).searchParams.get('uid') ?? '') : '';
  return { landed, uid, checks };
}

export interface Said<T> {
  /** Of the envelope: 201, or what went wrong. */
  status: number;
  code: string | undefined;
  msg: string;
  data: T;
}

/** A call of the page between client and provider, from a browser with somebody's session. */
async function say<T>(
  on: Pick<OauthWorld, 'pages'>,
  browser: TestBrowser,
  session: string,
  uid: string,
  body?: object,
  ip?: string,
) {
  const response = await fetch(`${on.pages}/api/auth/oauth2/interactions/${uid}`, {
    method: body ? 'POST' : 'GET',
    headers: {
      jsessionid: session,
      cookie: browser.cookies(on.pages),
      'user-agent': browser.userAgent,
      ...(ip ? { 'x-forwarded-for': ip } : {}),
      ...(body ? { 'content-type': 'application/json' } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const answer = (await response.json()) as Envelope<T & { code?: string }>;
  return { status: answer.code, code: answer.data?.code, msg: answer.msg, data: answer.data } as Said<T>;
}

export const ask = (on: OauthWorld, browser: TestBrowser, session: string, uid: string) =>
  say<Asked>(on, browser, session, uid);

interface ReplyOptions {
  agree?: boolean;
  /** Address that the call comes from, as a proxy on this machine says. */
  ip?: string;
}

export const reply = (
  on: Pick<OauthWorld, 'pages'>,
  browser: TestBrowser,
  session: string,
  uid: string,
  { agree = true, ip }: ReplyOptions = {},
) => say<{ location: string }>(on, browser, session, uid, { agree }, ip);

/** Agrees, and follows the browser to where the client has it back; the address is not opened. */
export async function consent(
  on: Pick<OauthWorld, 'pages'>,
  browser: TestBrowser,
  session: string,
  uid: string,
  agree = true,
) {
  const said = await reply(on, browser, session, uid, { agree });
  if (said.status !== 201) throw new Error(`${said.code} ${said.msg}`);
  const end = await browser.follow(await browser.open(said.data.location), (url) => url.href.startsWith(BACK));
  return end.url;
}

/** The whole way of a person to a client's tokens. */
export async function comeIn(
  on: Pick<OauthWorld, 'pages'>,
  client: oidc.Configuration,
  person: Pick<Person, 'session'>,
  more: Record<string, string> = {},
) {
  const browser = new TestBrowser();
  const begun = await begin(client, browser, more);
  const back = await consent(on, browser, person.session, begun.uid);
  const tokens = await oidc.authorizationCodeGrant(client, back, begun.checks);
  return { browser, begun, back, tokens };
}

/** The OAuth error that a client's call ends with, or "fine". */
export async function outcome(call: Promise<unknown>): Promise<string> {
  try {
    await call;
    return 'fine';
  } catch (error) {
    if (error instanceof oidc.ResponseBodyError || error instanceof oidc.AuthorizationResponseError) return error.error;
    if (error instanceof oidc.WWWAuthenticateChallengeError) {
      return error.cause.map((challenge) => challenge.parameters.error).join(' ');
    }
    throw error;
  }
}

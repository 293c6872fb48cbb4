import type { SsoConfig } from '#kit/server/config.ts';
import { createWorld, type World } from '#test/support/world.ts';
import type { Landed, TestBrowser } from './sso-browser.ts';
import { CLIENT, freePort, startProvider, type TestProvider } from './sso-provider.ts';

export interface SsoWorld {
  world: World;
  provider: TestProvider;
  /** Address of the product. */
  pages: string;
  sso: SsoConfig;
  close(): Promise<void>;
}

/** The product, listening, with a provider in front of it. */
export async function createSsoWorld(): Promise<SsoWorld> {
  const port = await freePort();
  const pages = `http://127.0.0.1:${port}`;
  const provider = await startProvider(pages);
  const sso: SsoConfig = {
    issuer: provider.issuer,
    clientId: CLIENT.id,
    clientSecret: CLIENT.secret,
    scopes: 'openid email profile',
    provision: false,
    address: undefined,
  };
  const world = await createWorld({ publicUrl: pages, sso });
  await world.app.listen({ port, host: '127.0.0.1' });
  const close = async () => {
    await world.close();
    await provider.close();
  };
  return { world, provider, pages, sso, close };
}

/** Where a browser leaves the provider for. */
const isBack = (pages: string) => (url: URL) => url.origin === pages;

/** Goes from the first page of the product to the provider, logs in there as `sub`, and stops before coming back. */
export async function untilCallback(on: SsoWorld, browser: TestBrowser, sub: string): Promise<URL> {
  const start = await browser.open(`${on.pages}/sso/getJSession`);
  return atProvider(on, browser, start, sub);
}

/** Logs in at the provider where it asks, and agrees; returns the address that leads back. */
export async function atProvider(on: SsoWorld, browser: TestBrowser, start: Landed, sub: string): Promise<URL> {
  let page = await browser.follow(start, isBack(on.pages));
  for (let step = 0; step < 3 && page.url.origin !== on.pages; step += 1) {
    const asked = page.text.includes('name="login"') ? { login: sub, password: 'x' } : {};
    page = await browser.follow(await browser.submit(page, asked), isBack(on.pages));
  }
  if (page.url.pathname !== '/sso/callback') throw new Error(`${page.url}: ${page.text.slice(0, 500)}`);
  return page.url;
}

/** The whole way; returns the page on which the browser ends. */
export async function comeIn(on: SsoWorld, browser: TestBrowser, sub: string): Promise<URL> {
  return endOf(await browser.open(await untilCallback(on, browser, sub)));
}

/** Where an answer of the product sends the browser. */
export function endOf(answer: Landed): URL {
  const location = answer.headers.get('location');
  if (!location) throw new Error(`${answer.status}: ${answer.text.slice(0, 300)}`);
  return new URL(location);
}

/** What the product says to a call with a session: "in", or the code of the refusal. */
export async function knock(on: SsoWorld, browser: TestBrowser, session: string): Promise<string> {
  const response = await fetch(`${on.pages}/api/admin/api/v1/users/info`, {
    headers: { jsessionid: session, cookie: browser.cookies(on.pages), 'user-agent': browser.userAgent },
  });
  const body = (await response.json()) as { msg: string; data: { code?: string; id?: string } };
  return response.status === 200 ? `in ${body.data.id}` : `${body.data?.code} ${body.msg}`;
}

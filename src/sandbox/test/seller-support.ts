import { expect } from 'vitest';
import type { Region } from '../business/types.ts';
import { type Sandbox, type SandboxOptions, startSandbox } from '../index.ts';
import { DAY, HOUR, type Json, postJson, START, tokenRequest } from './wire-support.ts';

/** Data time of those who ask as a seller with six weeks of business. */
export const SELLER_NOW = START + 45 * DAY + 12 * HOUR;

/** A call below /spapi/na, or another region. */
export interface Request {
  method: string;
  path: string;
  query?: Readonly<Record<string, unknown>> | undefined;
  body?: unknown;
}
export interface Sent {
  status: number;
  body: Json;
}

/** A sandbox one of whose sellers has consented. */
export interface ConsentedSeller {
  sandbox: Sandbox;
  sellerId: string;
  marketplaceIds: string[];
  accessToken: string;
  /** A token of the application itself, for what is about no seller: of notifications unless another scope is named. */
  ownToken(scope?: string): Promise<string>;
  /** Calls the sandbox as this seller, or by another token. */
  send(request: Request, token?: string): Promise<Sent>;
  /** As `send`, but the call must succeed; resolves with the answer's body. */
  good(request: Request, token?: string): Promise<Json>;
}

/** Opens a small sandbox at `SELLER_NOW` and consents for its North American seller, or for one of another region. */
export async function consentedSeller(
  options: Partial<SandboxOptions> = {},
  region: Region = 'na',
): Promise<ConsentedSeller> {
  const sandbox = await startSandbox({
    scenario: 'tiny',
    seed: 'sdk',
    startAt: START,
    clock: { mode: 'frozen', at: SELLER_NOW },
    reportDelayMs: [0, 0],
    rateFactor: 1_000_000,
    ...options,
  });
  return sellerIn(sandbox, region);
}

/** The seller of a region of a sandbox, consented beside whoever has his consent already. */
export async function sellerIn(sandbox: Sandbox, region: Region = 'na'): Promise<ConsentedSeller> {
  const account = sandbox.business.accounts.find((one) => one.region === region);
  if (!account) throw new Error(`The scenario has no account in ${region}`);
  const { sellingPartnerId: sellerId, marketplaceIds } = account;
  const granted = await fetch(`${sandbox.url}/control/authorise`, postJson({ sellingPartnerId: sellerId, region }));
  const { refreshToken } = (await granted.json()) as Json;
  const token = async (wish: Record<string, string>): Promise<string> =>
    String(((await (await tokenRequest(sandbox.url, wish)).json()) as Json).access_token);
  const accessToken = await token({ grant_type: 'refresh_token', refresh_token: String(refreshToken) });
  const ownToken = (scope = 'notifications') =>
    token({ grant_type: 'client_credentials', scope: `sellingpartnerapi::${scope}` });
  const send = async ({ method, path, query = {}, body }: Request, as = accessToken): Promise<Sent> => {
    const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
    const init = body === undefined ? {} : postJson(body);
    // At whatever rate, a bucket that holds one call is empty for the rest of a millisecond.
    sandbox.world.throttle.reset();
    const response = await fetch(`${sandbox.url}/spapi/${region}${path}?${search}`, {
      ...init,
      method,
      headers: { ...init.headers, 'x-amz-access-token': as, 'user-agent': 'models/1' },
    });
    const text = await response.text();
    return { status: response.status, body: (text === '' ? {} : JSON.parse(text)) as Json };
  };
  const good = async (request: Request, as = accessToken): Promise<Json> => {
    const sent = await send(request, as);
    expect(sent.status, `${request.method} ${request.path} ${JSON.stringify(sent.body)}`).toBeLessThan(300);
    return sent.body;
  };
  return { sandbox, sellerId, marketplaceIds, accessToken, ownToken, send, good };
}

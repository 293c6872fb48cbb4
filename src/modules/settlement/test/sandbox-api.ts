import type { ApiRequest, SpApi } from '#modules/marketplace/server/index.ts';
import { type Sandbox, sandboxApp } from '#sandbox/index.ts';

async function accessToken(sandbox: Sandbox, sellingPartnerId: string, region: string): Promise<string> {
  const granted = await fetch(`${sandbox.url}/control/authorise`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ sellingPartnerId, region }),
  });
  const { refreshToken } = (await granted.json()) as { refreshToken: string };
  const response = await fetch(`${sandbox.url}/lwa/auth/o2/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({
      grant_type: 'refresh_token',
      refresh_token: refreshToken,
      client_id: sandboxApp.clientId,
      client_secret: sandboxApp.clientSecret,
    }),
  });
  return ((await response.json()) as { access_token: string }).access_token;
}

/** The marketplace over plain HTTP as one seller: no rate limits, no retries, which is all that these tests need. */
export async function apiOf(
  sandbox: Sandbox,
  { sellingPartnerId, region }: { sellingPartnerId: string; region: string },
): Promise<SpApi> {
  const token = await accessToken(sandbox, sellingPartnerId, region);
  return {
    async call<T>({ path, query = {} }: ApiRequest) {
      const url = new URL(`${sandbox.url}/spapi/${region}${path}`);
      for (const [key, value] of Object.entries(query)) {
        if (value !== undefined) url.searchParams.set(key, Array.isArray(value) ? value.join(',') : String(value));
      }
      const response = await fetch(url, { headers: { 'x-amz-access-token': token, 'user-agent': 'test/1' } });
      if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
      return { body: (await response.json()) as T, requestId: undefined };
    },
  };
}

import { refused } from '#kit/server/errors.ts';
import type { Runtime } from '#kit/server/runtime.ts';
import type { Region } from '../../contract/marketplaces.ts';
import type { LwaClient } from '../api/lwa.ts';
import { fetchVia } from '../api/proxy.ts';
import { configOf } from '../settings.ts';

const TIMEOUT_MS = 20_000;

/** A granted access token, and the application and region that it is for. */
export interface Granted {
  client: LwaClient;
  region: Region;
  accessToken: string;
}

interface Participations {
  payload?: { marketplace: { id: string }; participation: { isParticipating: boolean } }[];
}

/** One live call with a token that no account holds yet. Rejects where nobody answers. */
function call(runtime: Runtime, { client, region, accessToken }: Granted, path: string): Promise<Response> {
  return fetchVia(client.proxyUrl, `${configOf(runtime).spApiBase[region]}${path}`, {
    headers: { 'x-amz-access-token': accessToken, 'user-agent': 'CrossborderErp/1.0 (Language=TypeScript)' },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
}

/** Asks which marketplaces the token's seller sells in: the HTTP status, and their ids where it is 200. */
export async function participations(
  runtime: Runtime,
  granted: Granted,
): Promise<{ status: number; marketplaceIds: string[] }> {
  const response = await call(runtime, granted, '/sellers/v1/marketplaceParticipations');
  if (!response.ok) return { status: response.status, marketplaceIds: [] };
  const { payload = [] } = (await response.json()) as Participations;
  const own = payload.filter((one) => one.participation.isParticipating);
  return { status: response.status, marketplaceIds: own.map((one) => one.marketplace.id) };
}

/** What a call that names the seller says of him; 'unknown': Amazon gave no answer that tells. */
export type SellerProof = 'own' | 'other' | 'unknown';

/**
 * Whether a token is that of a seller. No operation of Amazon's names the seller of a token, but those of the Listings
 * Items API have him in their path and refuse a token of somebody else; a marketplace that the seller does sell in
 * leaves the seller, or the missing role Product Listing, as the reason.
 */
export async function proveSeller(
  runtime: Runtime,
  granted: Granted,
  sellingPartnerId: string,
  marketplaceId: string,
): Promise<SellerProof> {
  const query = new URLSearchParams({ marketplaceIds: marketplaceId, pageSize: '1' });
  const path = `/listings/2021-08-01/items/${encodeURIComponent(sellingPartnerId)}?${query}`;
  const status = await call(runtime, granted, path).then(
    async (response) => {
      await response.body?.cancel();
      return response.status;
    },
    () => 0,
  );
  if (status === 200) return 'own';
  return [400, 403, 404].includes(status) ? 'other' : 'unknown';
}

/**
 * Refuses a consent whose return address names another seller than the one who agreed: the address passes through the
 * browser. Amazon's own trouble is no reason to refuse. @throws refused B0309
 */
export async function requireAgreed(
  runtime: Runtime,
  granted: Granted,
  sellingPartnerId: string,
): Promise<SellerProof> {
  const { marketplaceIds } = await participations(runtime, granted).catch(() => ({ marketplaceIds: [] as string[] }));
  const [first] = marketplaceIds;
  const proof = first === undefined ? 'unknown' : await proveSeller(runtime, granted, sellingPartnerId, first);
  if (proof !== 'other') return proof;
  throw refused(
    `无法确认授权的卖家是 ${sellingPartnerId}：与亚马逊账户不一致，或应用缺少 Product Listing 角色，请重新授权`,
    'B0309',
  );
}

import { setTimeout as sleep } from 'node:timers/promises';
import { refused } from '#kit/server/errors.ts';
import type { Runtime } from '#kit/server/runtime.ts';
import type { Region } from '../../contract/marketplaces.ts';
import { takeToken } from '../api/buckets.ts';
import { planOf } from '../api/limits.ts';
import { grantlessAccess } from '../api/lwa.ts';
import { ApiRefused } from '../api/port.ts';
import { houseClient } from '../application/house.ts';
import { configOf } from '../settings.ts';

const USER_AGENT = 'CrossborderErp/1.0 (Language=TypeScript; Platform=Node.js)';
const TIMEOUT_MS = 30_000;
/** Somebody sits before the screen: a longer wait is told. */
const LONGEST_WAIT_MS = 10_000;

interface GrantlessCall {
  operation: string;
  method: 'GET' | 'POST' | 'DELETE';
  path: string;
  body?: object;
  /** Of the token, after sellingpartnerapi:: (default: that of notifications). */
  scope?: 'notifications' | 'client_credential:rotation';
}

/**
 * A call in the name of the application itself, which no seller consented to. @throws ApiRefused as the marketplace
 * refuses; AppError B0370 where it does not answer
 */
export async function callGrantless<T>(runtime: Runtime, region: Region, call: GrantlessCall): Promise<T> {
  const config = configOf(runtime);
  const key = { applicationId: config.applicationId, sellerKey: `application/${region}`, operation: call.operation };
  const delay = await takeToken(runtime, key, planOf(call.operation));
  if (delay > LONGEST_WAIT_MS) throw refused('操作过于频繁，请稍后再试', 'B0370');
  if (delay > 0) await sleep(delay);
  const scope = `sellingpartnerapi::${call.scope ?? 'notifications'}`;
  const { accessToken } = await grantlessAccess(await houseClient(runtime), scope);
  const response = await fetch(`${config.spApiBase[region]}${call.path}`, {
    method: call.method,
    headers: {
      'x-amz-access-token': accessToken,
      'user-agent': USER_AGENT,
      ...(call.body ? { 'content-type': 'application/json' } : {}),
    },
    ...(call.body ? { body: JSON.stringify(call.body) } : {}),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const answer = (await response.json().catch(() => ({}))) as T & { errors?: { code: string; message: string }[] };
  if (response.ok) return answer;
  const [error] = answer.errors ?? [];
  throw new ApiRefused(response.status, error?.code ?? 'Unknown', error?.message ?? `HTTP ${response.status}`);
}

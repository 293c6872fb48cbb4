import { expect } from 'vitest';
import type { Json } from './wire-support.ts';

/** What the tests use of the official SDK, which ships no types for its entry. */
interface SdkClient {
  applyXAmzAccessTokenToRequest(token: string): SdkClient;
  disableRateLimiter(): void;
}
interface SdkReply {
  response: { status: number; body: Json };
  data: Json | null;
}
interface SdkModule {
  ApiClient: new (url: string) => SdkClient;
}
type SdkApi = Record<string, (...args: unknown[]) => Promise<SdkReply>>;

/** The official SDK; the package's name in a variable keeps the compiler from asking for types that it does not have. */
export async function officialSdk(): Promise<Record<string, SdkModule>> {
  const packageName = '@amazon-sp-api-release/amazon-sp-api-sdk-js';
  return (await import(packageName)) as Record<string, SdkModule>;
}

/** An API object of the SDK, pointed at the sandbox; the SDK's own limiter would only slow the tests. */
export function sdkApi(
  sdk: Record<string, SdkModule>,
  url: string,
  token: string,
  [moduleName, apiName]: readonly [module: string, api: string],
): SdkApi {
  const module = sdk[moduleName];
  if (!module) throw new Error(`The SDK has no ${moduleName}`);
  const client = new module.ApiClient(`${url}/spapi/na`);
  client.applyXAmzAccessTokenToRequest(token).disableRateLimiter();
  const Api: unknown = Reflect.get(module, apiName);
  if (typeof Api !== 'function') throw new Error(`The SDK has no ${apiName}`);
  return Reflect.construct(Api, [client]) as SdkApi;
}

/** Calls an operation of the SDK, which must succeed; resolves with the answer's body. */
export async function sdkCall(of: SdkApi, name: string, ...args: unknown[]): Promise<Json> {
  const operation = of[`${name}WithHttpInfo`];
  if (!operation) throw new Error(`The SDK has no ${name}`);
  const { response, data } = await operation.apply(of, args);
  expect(response.status).toBeLessThan(300);
  // An answer without a body is read as one that holds nothing.
  expect(data).toBeDefined();
  return response.body;
}

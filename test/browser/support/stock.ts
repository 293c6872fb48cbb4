import type { APIRequest, APIRequestContext, APIResponse, Page } from '@playwright/test';
import { expect } from './browser.ts';

/** The demo data stocks what the first synchronisation brings. */
export const STOCKED_MS = 400_000;
export const WAREHOUSE = '深圳正品仓';

/** A product in a warehouse, as the stock report shows it. */
export interface Stock {
  product: { code: string };
  productId: string;
  warehouse: string;
  warehouseId: string;
  available: number;
}

/** Calls the API beside the page, which may be off line. */
export interface StockApi {
  send<T>(path: string, body: object): Promise<T>;
  get<T>(path: string): Promise<T>;
  list<T>(path: string, filter: object): Promise<T[]>;
  close(): Promise<void>;
}

/** An API client with the session of a page that is logged in. */
export async function stockApi(
  page: Page,
  playwright: { request: APIRequest },
  baseURL: string | undefined,
): Promise<StockApi> {
  const session = await page.evaluate(() => localStorage.getItem('jsessionid') ?? '');
  const api: APIRequestContext = await playwright.request.newContext({
    baseURL: baseURL ?? '',
    extraHTTPHeaders: { jsessionid: session },
  });
  const read = async <T>(path: string, response: APIResponse): Promise<T> => {
    const { code, msg, data } = (await response.json()) as { code: number; msg: string; data: T };
    if (code !== 201) throw new Error(`${path}: ${msg}`);
    return data;
  };
  const send = async <T>(path: string, body: object) =>
    read<T>(path, await api.post(`/api/erp/api/v1/${path}`, { data: body }));
  return {
    send,
    get: async (path) => read(path, await api.get(`/api/erp/api/v1/${path}`)),
    list: async <T>(path: string, filter: object) =>
      (await send<{ records: T[] }>(path, { pagesize: 100, filter })).records,
    close: () => api.dispose(),
  };
}

/** Waits for the demo stock; answers the products of the main warehouse that have enough to work with. */
export async function demoStock(api: StockApi, least = 10): Promise<Stock[]> {
  let goods: Stock[] = [];
  const look = async () => {
    const all = await api.list<Stock>('inventory/report/base/list', {});
    goods = all.filter((one) => one.warehouse === WAREHOUSE && one.available >= least);
    return goods.length;
  };
  // The inquiries are the last that the demo data makes: nothing moves behind a story's back after them.
  const inquiries = async () => (await api.list('rfq/list', {})).length;
  await expect.poll(inquiries, { timeout: STOCKED_MS }).toBeGreaterThan(0);
  await look();
  expect(goods.length).toBeGreaterThan(5);
  return goods;
}

/** The maker of a document may approve it: the stories have one person. */
export async function approveOwn(api: StockApi): Promise<void> {
  const setting = { separateApprover: false, receiveTolerance: '0', recountShare: '0.02', recountAmount: '200' };
  await api.send('inventory/form/setting', setting);
}

import { createHash } from 'node:crypto';
import { Decimal } from '#kit/contract/decimal.ts';
import type { SpApi } from '#modules/marketplace/server/index.ts';
import type { ApiBox, ApiItem, ApiMoney, ApiShipment, Incentive, Problem } from './answers.ts';
import type { Cost, View } from './types.ts';

export const BASE = '/inbound/fba/2024-03-20';
export const planPath = (planId: string): string => `${BASE}/inboundPlans/${encodeURIComponent(planId)}`;

/** The plan's path of a view. @throws where there is no plan yet: a step that needs one came too early */
export function pathOf({ inbound }: View): string {
  if (inbound.planId === null) throw new Error('no inbound plan yet');
  return planPath(inbound.planId);
}

type Query = Readonly<Record<string, string | number | readonly string[] | undefined>>;

/** One answer of a read. */
export async function get<T>(api: SpApi, operation: string, path: string, query: Query = {}): Promise<T> {
  const { body } = await api.call<T>({ operation, method: 'GET', path, query });
  return body;
}

interface Paged {
  pagination?: { nextToken?: string } | null;
}

/** All pages of a list. `size` is the largest page that the operation allows. */
export async function all<T>(
  api: SpApi,
  operation: string,
  path: string,
  key: string,
  size: number,
  query: Query = {},
): Promise<T[]> {
  const found: T[] = [];
  let token: string | undefined;
  do {
    const page = await get<Paged & Record<string, T[] | undefined>>(api, operation, path, {
      ...query,
      pageSize: size,
      paginationToken: token,
    });
    found.push(...((page[key] as T[] | undefined) ?? []));
    token = page.pagination?.nextToken || undefined;
  } while (token !== undefined);
  return found;
}

/** A shipment as Amazon has it now. */
export const shipmentAt = (api: SpApi, view: View, shipmentId: string): Promise<ApiShipment> =>
  get<ApiShipment>(api, 'getShipment', `${pathOf(view)}/shipments/${shipmentId}`);

/** Pieces of a shipment by MSKU. */
export async function itemsAt(api: SpApi, view: View, shipmentId: string): Promise<{ msku: string; qty: number }[]> {
  const path = `${pathOf(view)}/shipments/${shipmentId}/items`;
  return summed(await all<ApiItem>(api, 'listShipmentItems', path, 'items', 1000));
}

/** Boxes of a shipment as Amazon has them. */
export const boxesAt = (api: SpApi, view: View, shipmentId: string): Promise<ApiBox[]> =>
  all<ApiBox>(api, 'listShipmentBoxes', `${pathOf(view)}/shipments/${shipmentId}/boxes`, 'boxes', 1000);

/** Pieces by MSKU, each once, in the order of the SKUs. */
export function summed(items: readonly Pick<ApiItem, 'msku' | 'quantity'>[]): { msku: string; qty: number }[] {
  const sums = new Map<string, number>();
  for (const { msku, quantity } of items) sums.set(msku, (sums.get(msku) ?? 0) + quantity);
  return [...sums].map(([msku, qty]) => ({ msku, qty })).sort((a, b) => (a.msku < b.msku ? -1 : 1));
}

/** Money of an answer as decimal text: no amount is counted as a number from here on. */
export const costOf = ({ amount, code }: ApiMoney): Cost => ({ amount: new Decimal(amount).toFixed(), code });

/** Fees less discounts, in their currency; null where there is neither. */
export function feeOf(fees: readonly Incentive[], discounts: readonly Incentive[]): Cost | null {
  const code = [...fees, ...discounts][0]?.value.code;
  if (code === undefined) return null;
  const sum = (list: readonly Incentive[]) =>
    list.reduce((total, { value }) => total.plus(value.amount), new Decimal(0));
  return { amount: sum(fees).minus(sum(discounts)).toFixed(), code };
}

/** SHA-256 of what is asked, the same for the same content. */
export const hashOf = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex');

/** What an operation failed of; warnings left out where there are errors. */
export function errorsOf(problems: readonly Problem[]): Problem[] {
  const errors = problems.filter(({ severity }) => severity !== 'WARNING');
  return errors.length > 0 ? errors : [...problems];
}

import { get, hashOf, planPath } from '../desk.ts';
import type { View } from '../types.ts';
import { isPicked, itemsWanted } from '../wanted.ts';
import type { Stage } from './stage.ts';

/** The plan's name at Amazon: our number and which plan of the order it is; by it a plan is found whose answer was lost. */
export const planName = ({ order, inbound }: View): string => `${order.number}-${inbound.attempt}`;

interface Summary {
  inboundPlanId: string;
  name: string;
  status?: string;
}

/** Plans that failed or were called off are none. */
const GONE: readonly (string | undefined)[] = ['ERRORED', 'VOIDED'];

/** The newest plans are looked through so far. */
const PAGES = 3;

async function findPlan(api: Parameters<NonNullable<Stage['seen']>>[0], view: View): Promise<string | undefined> {
  let token: string | undefined;
  for (let page = 0; page < PAGES; page += 1) {
    const query = { sortBy: 'CREATION_TIME', sortOrder: 'DESC', pageSize: 30, paginationToken: token };
    const answer = await get<{ inboundPlans?: Summary[]; pagination?: { nextToken?: string } }>(
      api,
      'listInboundPlans',
      '/inbound/fba/2024-03-20/inboundPlans',
      query,
    );
    const found = answer.inboundPlans?.find(({ name, status }) => name === planName(view) && !GONE.includes(status));
    if (found) return found.inboundPlanId;
    token = answer.pagination?.nextToken;
    if (!token) return undefined;
  }
  return undefined;
}

export const createPlan: Stage = {
  key: 'createPlan',
  title: '创建入库计划',
  gate: ({ order, address }) => {
    if (order.state === 'held') return '发货单保持中，解除保持后继续';
    return address ? undefined : '请先在发货地址中维护该店铺的默认地址';
  },
  request: (view) => ({
    operation: 'createInboundPlan',
    method: 'POST',
    path: '/inbound/fba/2024-03-20/inboundPlans',
    body: {
      name: planName(view),
      destinationMarketplaces: [view.order.marketplaceId],
      items: itemsWanted(view),
      sourceAddress: view.address ?? {},
    },
  }),
  // While pickers are at work the numbers are not final: the plan stands until they are.
  current: (view, { request }) => {
    if (!isPicked(view)) return true;
    const told = (request.body as { items?: unknown } | undefined)?.items;
    return hashOf(told) === hashOf(itemsWanted(view));
  },
  async seen(api, view) {
    const planId = await findPlan(api, view);
    return planId === undefined ? undefined : { inbound: { planId } };
  },
};

/** Calls the plan off; by itself where nothing of it is at Amazon. */
export const cancelPlan: Stage = {
  key: 'cancelPlan',
  title: '取消入库计划',
  skip: ({ inbound }) => inbound.planId === null,
  request: ({ inbound }) => ({
    operation: 'cancelInboundPlan',
    method: 'PUT',
    path: `${planPath(inbound.planId ?? '')}/cancellation`,
  }),
  async seen(api, { inbound }) {
    const { status } = await get<{ status: string }>(api, 'getInboundPlan', planPath(inbound.planId ?? ''));
    return status === 'VOIDED' ? {} : undefined;
  },
};

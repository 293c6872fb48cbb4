import type { z } from 'zod';
import type { Ctx } from '#kit/server/context.ts';
import type { SelfStep } from '../contract/self/calls.ts';
import { type Recipient, SelfInput } from '../contract/self/input.ts';
import { demoGoods } from './demo.ts';
import { act } from './self/act.ts';
import { pickDoc, pickRowsOf } from './self/pick.ts';
import { saveDoc } from './self/save.ts';

interface Story {
  to: z.input<typeof Recipient>;
  pieces: number;
  steps: readonly SelfStep[];
  reason?: string;
  way?: z.input<typeof SelfInput>['way'];
  remark?: string;
  /** All of it was taken off the shelves before the last step. */
  isPicked?: true;
}

const DHL = { carrier: 'DHL', estimatedFee: '186.5', weightG: 1240, length: '30', width: '22', height: '12' };

/** How far each parcel of the demo has come. */
const STORIES: readonly Story[] = [
  {
    to: {
      recipient: 'Harbour Gifts Ltd',
      country: 'GB',
      city: 'Bristol',
      street: '4 Quay Street',
      postalCode: 'BS1 4DB',
    },
    pieces: 2,
    steps: [],
    remark: '样品，随附产品目录',
  },
  {
    to: { recipient: 'Nordlicht Handel', country: 'DE', city: 'Hamburg', street: 'Kaistrasse 18', postalCode: '22767' },
    pieces: 3,
    steps: ['approve'],
    way: DHL,
  },
  {
    to: { recipient: 'Maple & Pine', country: 'CA', region: 'ON', city: 'Toronto', street: '77 King Street W' },
    pieces: 1,
    steps: ['approve', 'print'],
    way: { ...DHL, trackingNo: '4820917735' },
    isPicked: true,
  },
  {
    to: { recipient: 'Lakeside Living', country: 'US', region: 'IL', city: 'Chicago', street: '210 Lake Shore Drive' },
    pieces: 4,
    steps: ['approve', 'ship'],
    way: { ...DHL, trackingNo: '4820917731', actualFee: '191.2' },
    isPicked: true,
  },
  {
    to: { recipient: 'Sakura Select', country: 'JP', city: 'Osaka', street: 'Kitahama 2-6-18' },
    pieces: 2,
    steps: ['approve', 'hold'],
    reason: '客户要求月底再发',
  },
  // More than anybody has.
  {
    to: { recipient: 'Outback Outfitters', country: 'AU', city: 'Perth', street: '9 Hay Street' },
    pieces: 90_000,
    steps: ['approve'],
  },
];

/** Takes all of a document off the shelves. */
async function pick(ctx: Ctx, id: string): Promise<void> {
  const rows = await pickRowsOf(ctx, id);
  const lines = rows.map(({ lineId, want, picked }) => ({ lineId, qty: want - picked }));
  await pickDoc(ctx, { id, clientId: id, lines });
}

/** Parcels that the demo company sends to customers of its own, one in each state that takes a while. */
export async function demoSelf(ctx: Ctx): Promise<void> {
  const place = await demoGoods(ctx);
  if (!place) return;
  const { warehouseId, goods } = place;
  for (const [n, { to, pieces, steps, reason, way, remark, isPicked }] of STORIES.entries()) {
    const { product } = goods[n % goods.length] ?? goods[0];
    const input = SelfInput.parse({ warehouseId, to, way, remark, lines: [{ productId: product, qty: pieces }] });
    const { id } = await saveDoc(ctx, input);
    for (const step of steps) {
      if (isPicked && step === steps.at(-1)) await pick(ctx, id);
      await act(ctx, step, { id, ...(reason && step === 'hold' ? { reason } : {}) });
    }
  }
}

import type { z } from 'zod';
import type { Ctx } from '#kit/server/context.ts';
import { saveCarrier } from '../contract/transport/calls.ts';
import type { ChannelInput } from '../contract/transport/carrier.ts';
import { CardInput } from '../contract/transport/price.ts';
import { detailOf } from './transport/carrier/detail.ts';
import { saveCarrierOf } from './transport/carrier/save.ts';
import { addCard } from './transport/price/add.ts';

type Tiers = readonly (readonly [from: string, to: string | null, price: string])[];

/** A channel of the demo with what it costs; `before` are the prices that it had until a while ago. */
interface Offer {
  channel: z.input<typeof ChannelInput>;
  tiers: Tiers;
  before?: Tiers;
  /** Days from today until the card ends. */
  endsIn?: number;
  more?: Partial<z.input<typeof CardInput>>;
}

const DECLARATION = { name: '报关费', amount: '100', per: 'SHIPMENT' as const };
const TAIL = { name: '操作费', amount: '15', per: 'BOX' as const };

const CARRIERS: readonly { name: string; code: string; contact: string; terms: string; offers: readonly Offer[] }[] = [
  {
    name: '深圳远航货运代理',
    code: 'YH',
    contact: '陈经理',
    terms: '月结30天',
    offers: [
      {
        channel: {
          name: '美森正班海派',
          mode: 'SEA',
          country: 'US',
          zone: '美西,ONT,LGB,LAX,SBD',
          daysMin: 16,
          daysMax: 22,
          weightStep: '1',
          minBillable: '21',
          breakUp: true,
        },
        before: [
          ['21', '50', '11.8'],
          ['51', '100', '11.2'],
          ['101', null, '10.6'],
        ],
        tiers: [
          ['21', '50', '12.5'],
          ['51', '100', '11.9'],
          ['101', null, '11.3'],
        ],
        more: { fees: [DECLARATION] },
      },
      {
        channel: {
          name: '普船海卡',
          mode: 'SEA',
          country: 'US',
          daysMin: 30,
          daysMax: 40,
          billUnit: 'CBM',
          kgPerCbm: '363',
          minBillable: '1',
        },
        tiers: [
          ['1', '4.999', '1180'],
          ['5', null, '1080'],
        ],
        endsIn: 9,
        more: { fees: [DECLARATION, { name: '卡车提柜费', amount: '350', per: 'SHIPMENT' }] },
      },
      {
        channel: {
          name: '美国空派',
          mode: 'AIR',
          country: 'US',
          daysMin: 9,
          daysMax: 13,
          weightStep: '0.5',
          minBillable: '21',
          splitRate: '0.5',
        },
        before: [
          ['21', '100', '44'],
          ['101', null, '41.5'],
        ],
        tiers: [
          ['21', '100', '47.5'],
          ['101', null, '45'],
        ],
        more: { fuel: '0.08', fees: [DECLARATION] },
      },
    ],
  },
  {
    name: '义乌捷运国际物流',
    code: 'JY',
    contact: '吴小姐',
    terms: '票结，签收后付款',
    offers: [
      {
        channel: {
          name: '美东海派',
          mode: 'SEA',
          country: 'US',
          zone: '美东,ABE,EWR,TEB',
          daysMin: 28,
          daysMax: 36,
          weightStep: '1',
          minBillable: '21',
        },
        tiers: [
          ['21', '100', '12.2'],
          ['101', null, '11.4'],
        ],
        more: { fees: [DECLARATION, TAIL] },
      },
      {
        channel: {
          name: '红单快递',
          mode: 'EXPRESS',
          country: 'US',
          daysMin: 4,
          daysMax: 6,
          divisor: 5000,
          weightStep: '0.5',
        },
        tiers: [
          ['0.5', '20.5', '11.2'],
          ['21', '70', '8.6'],
          ['71', null, '7.9'],
        ],
        more: { currency: 'USD', fuel: '0.1575', minCharge: '35' },
      },
      {
        channel: {
          name: '中欧卡航',
          mode: 'TRUCK',
          country: 'DE',
          daysMin: 18,
          daysMax: 24,
          weightStep: '1',
          minBillable: '21',
          breakUp: true,
        },
        tiers: [
          ['21', '50', '13.5'],
          ['51', '100', '12.6'],
          ['101', null, '11.8'],
        ],
        more: { fees: [DECLARATION] },
      },
    ],
  },
];

const tiersOf = (tiers: Tiers) => tiers.map(([from, to, price]) => ({ from, to, price }));

/** Forwarders of the demo company: two with three channels each, some with prices that went up, one that ends soon. */
export async function demoTransport(ctx: Ctx): Promise<void> {
  for (const { offers, ...carrier } of CARRIERS) {
    const channels = offers.map((offer) => offer.channel);
    const { id } = await saveCarrierOf(ctx, saveCarrier.body.parse({ ...carrier, channels }));
    const known = new Map((await detailOf(ctx, id)).channels.map((channel) => [channel.name, channel.id]));
    for (const { channel, tiers, before, endsIn, more } of offers) {
      const add = (days: number, prices: Tiers, validTo: string | null = null) => {
        const card = { validFrom: ctx.clock.dayAhead(days), validTo, ...more, tiers: tiersOf(prices) };
        return addCard(ctx, known.get(channel.name) ?? '', CardInput.parse(card), 'manual');
      };
      if (before) await add(-75, before);
      await add(-20, tiers, endsIn === undefined ? null : ctx.clock.dayAhead(endsIn));
    }
  }
}

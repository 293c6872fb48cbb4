import type { Reply } from '#kit/contract/endpoint.ts';
import type { Ctx } from '#kit/server/context.ts';
import { countryOf } from '#modules/marketplace/contract/marketplaces.ts';
import { shipFromWords } from '#modules/marketplace/server/index.ts';
import { customsOf, type DeclaredOf, declaredOf, packedSizes } from '#modules/product/server/index.ts';
import type { ShipBox } from '../../contract/box/box.ts';
import type { PaperRow, shipPapers } from '../../contract/papers/papers.ts';
import { homesOf } from '../box/homes.ts';
import { boxesOf } from '../order/boxes.ts';
import { loaded, type ShipOrder } from '../order/load.ts';
import { valueDay } from './declared.ts';
import { amountsOf, paperRows, whole } from './goods.ts';

/** Everything that papers say. */
export interface PaperFacts {
  order: ShipOrder;
  boxes: ShipBox[];
  rows: PaperRow[];
  company: string;
  /** Who sends, where an address was chosen. */
  shipper: { name: string; address: string } | undefined;
  /** The fulfilment centre's code, where it is known. */
  center: string;
  /** Two letters as the world writes them: GB, not UK. */
  country: string;
  day: string;
  /** What 海关报价 says of the lines, by MSKU. */
  declared: ReadonlyMap<string, DeclaredOf>;
}

async function companyName(ctx: Ctx): Promise<string> {
  const row = await ctx.db
    .selectFrom('identity.company')
    .select('name')
    .where('company_id', '=', ctx.companyId)
    .executeTakeFirst();
  return row?.name ?? '';
}

/** @throws notFound */
export async function paperFacts(ctx: Ctx, id: string): Promise<PaperFacts> {
  const order = await loaded(ctx, id);
  const site = countryOf(order.marketplaceId);
  const country = site === 'UK' ? 'GB' : site;
  const ids = order.parts.map((part) => part.product);
  const boxes = await boxesOf(ctx, id);
  const sizes = await packedSizes(ctx, ids);
  const packed = new Map([...sizes].map(([product, size]) => [product, size.weight]));
  const mskus = order.lines.map((line) => line.msku);
  const declared = await declaredOf(ctx, order.account, order.marketplaceId, mskus, await valueDay(ctx, id));
  const rows = paperRows({ order, boxes, facts: await customsOf(ctx, ids, country), packed, declared });
  const shipper = order.addressId === null ? undefined : await shipFromWords(ctx, order.addressId);
  const { shipmentNo, center } = (await homesOf(ctx, order)).all;
  return {
    order: { ...order, shipmentNo },
    boxes,
    rows,
    company: await companyName(ctx),
    shipper,
    center,
    country,
    day: ctx.clock.today(),
    declared,
  };
}

function problemsOf({ order, boxes, rows, declared, shipper, center }: PaperFacts): string[] {
  const unweighed = boxes.filter((box) => box.weight === null).map((box) => box.no);
  const unmeasured = boxes.filter((box) => [box.length, box.width, box.height].includes(null)).map((box) => box.no);
  const low = order.lines.filter((line) => declared.get(line.msku)?.low).map((line) => line.msku);
  const open = rows.some((row) => row.value === null);
  const named = (nos: readonly number[]) => `第 ${nos.slice(0, 10).join('、')}${nos.length > 10 ? ' 等' : ''} 箱`;
  return [
    ...(boxes.length === 0 ? ['还没有装箱，没有箱数和毛重，装箱单为空'] : []),
    ...(unweighed.length > 0 ? [`${named(unweighed)}缺少重量`] : []),
    ...(unmeasured.length > 0 ? [`${named(unmeasured)}缺少尺寸`] : []),
    ...(open && low.length > 0
      ? [`${low.slice(0, 5).join('、')}${low.length > 5 ? ' 等' : ''} 的申报金额低于采购成本，审批后才会填入申报价`]
      : []),
    ...(shipper ? [] : ['发货单没有选择发货地址']),
    ...(order.shipmentNo === '' ? ['没有填写货件编号'] : center === '' ? ['货件的配送中心还没有同步到'] : []),
  ];
}

/** 报关资料 of an order with what is missing of it. @throws notFound */
export async function papersOf(ctx: Ctx, id: string): Promise<Reply<typeof shipPapers>> {
  const facts = await paperFacts(ctx, id);
  const { rows, boxes } = facts;
  return {
    rows,
    boxes: boxes.length,
    pieces: rows.reduce((total, row) => total + row.pieces, 0),
    net: whole(rows.map((row) => row.net)),
    gross: whole(boxes.map((box) => box.weight)),
    amounts: amountsOf(rows),
    problems: problemsOf(facts),
  };
}

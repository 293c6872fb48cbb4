import { Decimal } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import { productInfo, productKey } from '#modules/listing/server/index.ts';
import { countryOf } from '#modules/marketplace/contract/marketplaces.ts';
import { storeNames } from '#modules/marketplace/server/index.ts';
import { type ListingPart, listingKey, type PackedSize, packedSizes } from '#modules/product/server/index.ts';
import { warehouses } from '#modules/warehouse/server/index.ts';
import { MAX_LINES } from '../../contract/fields.ts';
import type { PlannedLine, PlannedShip } from '../../contract/plan-submit.ts';
import { sizeOf } from '../order/listings.ts';
import { type Item, itemsOf } from './items.ts';
import { type LocalStock, localStock } from './stock.ts';

/** What makes one ship order of items. */
export const shipKey = (item: Pick<Item, 'account' | 'marketplaceId' | 'warehouse' | 'transport'>): string =>
  `${item.account} ${item.marketplaceId} ${item.warehouse} ${item.transport}`;

const listingOf = (item: Item) => ({ accountId: item.account, marketplaceId: item.marketplaceId, msku: item.msku });

function lineOf(item: Item, product: PlannedLine['product'], here: LocalStock | undefined, sizes: Sizes): PlannedLine {
  const parts: readonly ListingPart[] = here?.parts ?? [];
  const { weight, volume } = sizeOf(parts, sizes);
  const promisable = here?.promisableIn.get(item.warehouse) ?? 0;
  const times = (one: string | null, digits: number) =>
    one === null ? null : new Decimal(one).times(item.qty).toFixed(digits);
  return {
    id: item.id,
    product,
    local: here?.local ?? '',
    qty: item.qty,
    promisable,
    weight: times(weight, 3),
    volume: times(volume, 1),
    warnings: !here ? '未关联本地产品' : item.qty > promisable ? `发货仓可承诺 ${promisable}，不足 ${item.qty}` : '',
  };
}

type Sizes = Map<string, PackedSize>;

const total = (lines: readonly PlannedLine[], key: 'weight' | 'volume', digits: number) =>
  lines.reduce((sum, line) => sum.plus(line[key] ?? 0), new Decimal(0)).toFixed(digits);

function obstacle(lines: readonly PlannedLine[]): string | undefined {
  const loose = lines.find((line) => line.local === '');
  if (loose) return `平台SKU【${loose.product.code}】未关联本地产品`;
  return lines.length > MAX_LINES ? `一张发货单最多 ${MAX_LINES} 个平台SKU，请分批提交` : undefined;
}

/** The ship orders that would come of open items: one for each store, site, warehouse and way. */
export async function plannedShips(ctx: Ctx, ids: readonly string[] | undefined): Promise<PlannedShip[]> {
  const items = (await itemsOf(ctx, { ids })).filter((item) => item.state === 'open');
  const stock = await localStock(ctx, items.map(listingOf));
  const sizes = await packedSizes(
    ctx,
    [...stock.values()].flatMap(({ parts }) => parts.map(({ productId }) => productId)),
  );
  const keyOf = (item: Item) => ({
    accountId: item.account,
    marketplaceId: item.marketplaceId,
    sellerSku: item.msku,
  });
  const infos = await productInfo(ctx, items.map(keyOf));
  const stores = await storeNames(ctx);
  const places = await warehouses(ctx);
  return [...Map.groupBy(items, shipKey).values()].flatMap((group): PlannedShip[] => {
    const [first] = group;
    if (!first) return [];
    const lines = group.map((item) =>
      lineOf(
        item,
        infos.get(productKey(keyOf(item))) ?? { name: item.msku, code: item.msku },
        stock.get(listingKey(listingOf(item))),
        sizes,
      ),
    );
    const blocked = obstacle(lines);
    return [
      {
        authid: first.account,
        store: { name: stores.get(first.account) ?? '—', country: countryOf(first.marketplaceId) },
        marketplaceId: first.marketplaceId,
        warehouseId: first.warehouse,
        warehouse: places.get(first.warehouse)?.name ?? '—',
        transport: first.transport,
        plannedOn: group.flatMap((item) => item.plannedOn ?? []).sort()[0] ?? null,
        skus: new Set(group.map((item) => item.msku)).size,
        qty: group.reduce((sum, item) => sum + item.qty, 0),
        weight: total(lines, 'weight', 3),
        volume: total(lines, 'volume', 1),
        unmeasured: lines.filter((line) => line.weight === null || line.volume === null).length,
        ...(blocked === undefined ? {} : { blocked }),
        lines,
      },
    ];
  });
}

/** Labels of products. */
import { iso } from '../clock.ts';
import type { Answer, Call, Operation } from '../operation.ts';
import { titleIn } from '../report-stock.ts';
import { badRequest, read } from './bodies.ts';
import { offersHere } from './desk.ts';
import { LINK_LIFE_MS, paperLink } from './documents.ts';
import { itemLabelsBody } from './product-bodies.ts';

function createMarketplaceItemLabels(call: Call): Answer {
  const body = read(itemLabelsBody, call.body);
  const { market, offers } = offersHere(call, body.marketplaceId);
  const { labelType, pageType, width, height } = body;
  if (labelType === 'STANDARD_FORMAT' && pageType === undefined)
    throw badRequest('pageType: is required for STANDARD_FORMAT');
  if (labelType === 'THERMAL_PRINTING' && (width === undefined || height === undefined)) {
    throw badRequest('width and height: are required for THERMAL_PRINTING');
  }
  const items = body.mskuQuantities.map(({ msku, quantity }): [string, string, number] => {
    const product = offers.get(msku)?.product;
    if (!product) throw badRequest('The requested MSKU is not valid.');
    return [product.fnsku, titleIn(product, market).slice(0, 50), quantity];
  });
  const uri = paperLink(call.world, {
    kind: 'items',
    items,
    ...(labelType === 'STANDARD_FORMAT' ? { pageType: pageType ?? 'A4_21' } : { size: [width ?? 100, height ?? 25] }),
  });
  const expiration = iso(call.now + LINK_LIFE_MS);
  return { body: { documentDownloads: [{ downloadType: 'URL', uri, expiration }] } };
}

/** Labels of products; those of boxes are in v0. */
export const labelOperations: Operation[] = [
  {
    name: 'createMarketplaceItemLabels',
    method: 'POST',
    path: '/inbound/fba/2024-03-20/items/labels',
    plan: { rate: 2, burst: 30 },
    handle: createMarketplaceItemLabels,
  },
];

import { PageQuery } from '#kit/contract/page.ts';
import type { ProductTab } from '#modules/product/server/index.ts';
import { LayerFilter, LayerRow } from '../../contract/inventory.ts';
import { layerPage } from '../stock/layers.ts';

/** 成本层: where the pieces in stock came from, how old they are and what they cost, oldest first. */
export const layersTab: ProductTab = {
  key: 'layers',
  title: '成本层',
  permission: 'erp:inv:view',
  // The source document comes first: it is what opens.
  row: LayerRow.pick({
    number: true,
    warehouse: true,
    lot: true,
    originalDate: true,
    ageDays: true,
    qtyIn: true,
    qtyLeft: true,
    inTransit: true,
    unitCost: true,
    amountLeft: true,
    costState: true,
    path: true,
  }),
  async rows(ctx, { sku }, limit) {
    const request = PageQuery(LayerFilter).parse({ filter: { sku } });
    return (await layerPage(ctx, { ...request, pagesize: limit })).records;
  },
};

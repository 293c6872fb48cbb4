import { flatReader } from './flat.ts';

const count = (name: string) => ({ kind: 'count', name }) as const;

/** GET_AFN_INVENTORY_DATA_BY_COUNTRY: pieces for sale in the warehouses of each European country. */
export const inventoryByCountry = flatReader({
  type: 'GET_AFN_INVENTORY_DATA_BY_COUNTRY',
  title: 'FBA分国家库存报告',
  columns: {
    sku: {
      kind: 'need',
      name: 'seller-sku',
      required: true,
      aliases: ['sku', 'Händler-SKU', 'sku-vendeur', 'SKU venditore', 'SKU del vendedor'],
    },
    fnsku: { kind: 'text', name: 'fulfillment-channel-sku', required: true, aliases: ['fnsku'] },
    asin: { kind: 'text', name: 'asin' },
    condition: { kind: 'text', name: 'condition-type' },
    country: { kind: 'need', name: 'country', required: true },
    quantity: { kind: 'int', name: 'quantity-for-local-fulfillment', required: true },
  },
});

/** GET_FBA_RECOMMENDED_REMOVAL_DATA: goods that Amazon would have taken away, because of their age or their state. */
export const recommendedRemovals = flatReader({
  type: 'GET_FBA_RECOMMENDED_REMOVAL_DATA',
  title: 'FBA建议移除报告',
  columns: {
    snapshotDay: { kind: 'day', name: 'snapshot-date', required: true },
    sku: { kind: 'need', name: 'sku', required: true, aliases: ['出品者SKU', 'Händler-SKU', 'sku-vendeur'] },
    fnsku: { kind: 'text', name: 'fnsku', required: true },
    asin: { kind: 'text', name: 'asin' },
    title: { kind: 'text', name: 'product-name', aliases: ['Produktname', 'nom-produit', '商品名'] },
    condition: { kind: 'text', name: 'condition', aliases: ['Zustand', 'état', 'コンディション'] },
    sellable: count('sellable-quantity'),
    sellable121: count('sellable-121-180-days'),
    sellable181: count('sellable-181-270-days'),
    sellable271: count('sellable-271-365-days'),
    sellable365: count('sellable-365+-days'),
    sellableRemoval: { kind: 'count', name: 'sellable-removal-quantity', required: true },
    unsellable: { kind: 'count', name: 'unsellable-quantity', required: true },
    unsellable0: count('unsellable-0-7-days'),
    unsellable8: count('unsellable-8-60-days'),
    unsellable61: count('unsellable-61-90-days'),
  },
});

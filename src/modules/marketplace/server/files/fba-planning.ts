import { flatReader } from './flat.ts';

const PRODUCT = {
  sku: { kind: 'need', name: 'sku', required: true, aliases: ['seller-sku'] },
  fnsku: { kind: 'text', name: 'fnsku', required: true },
  asin: { kind: 'text', name: 'asin', required: true },
  title: { kind: 'text', name: 'product-name' },
  condition: { kind: 'text', name: 'condition' },
} as const;

const count = (name: string) => ({ kind: 'count', name }) as const;
const whole = (name: string) => ({ kind: 'int', name }) as const;
const amount = (name: string) => ({ kind: 'decimal', name }) as const;

/** GET_FBA_INVENTORY_PLANNING_DATA: how old the goods are, how long they will last, what Amazon would do. */
export const inventoryPlanning = flatReader({
  type: 'GET_FBA_INVENTORY_PLANNING_DATA',
  title: 'FBA库龄与规划报告',
  currency: 'currency',
  columns: {
    snapshotDay: { kind: 'day', name: 'snapshot-date', required: true },
    ...PRODUCT,
    available: { kind: 'count', name: 'available', required: true },
    pendingRemoval: count('pending-removal-quantity'),
    age0: { kind: 'count', name: 'inv-age-0-to-90-days', required: true },
    age91: count('inv-age-91-to-180-days'),
    age181: count('inv-age-181-to-270-days'),
    age271: count('inv-age-271-to-365-days'),
    age366: count('inv-age-366-to-455-days'),
    age456: count('inv-age-456-plus-days'),
    currency: { kind: 'text', name: 'currency' },
    shipped7: count('units-shipped-t7'),
    shipped30: count('units-shipped-t30'),
    shipped60: count('units-shipped-t60'),
    shipped90: count('units-shipped-t90'),
    alert: { kind: 'text', name: 'alert' },
    price: amount('your-price'),
    action: { kind: 'text', name: 'recommended-action' },
    sellThrough: amount('sell-through'),
    storageType: { kind: 'text', name: 'storage-type' },
    marketplace: { kind: 'text', name: 'marketplace' },
    supplyDays: amount('days-of-supply'),
    excess: count('estimated-excess-quantity'),
    storageCost: amount('estimated-storage-cost-next-month'),
    inbound: count('inbound-quantity'),
    reserved: count('Total Reserved Quantity'),
    unfulfillable: count('unfulfillable-quantity'),
    historicalSupplyDays: amount('historical-days-of-supply'),
    health: { kind: 'text', name: 'fba-inventory-level-health-status' },
    shipIn: whole('Recommended ship-in quantity'),
    shipInDay: { kind: 'text', name: 'Recommended ship-in date' },
  },
});

/** GET_STRANDED_INVENTORY_UI_DATA: goods in the warehouse that nobody can buy. */
export const strandedInventory = flatReader({
  type: 'GET_STRANDED_INVENTORY_UI_DATA',
  title: '无在售库存报告',
  columns: {
    action: { kind: 'text', name: 'primary-action' },
    strandedDay: { kind: 'day', name: 'date-stranded', required: true },
    unsellableDay: { kind: 'text', name: 'Date-classified-as-unsellable' },
    status: { kind: 'text', name: 'status-primary' },
    detail: { kind: 'text', name: 'status-secondary' },
    message: { kind: 'text', name: 'error-message' },
    reason: { kind: 'text', name: 'stranded-reason', required: true },
    ...PRODUCT,
    fulfilledBy: { kind: 'text', name: 'fulfilled-by' },
    fulfillable: { kind: 'count', name: 'fulfillable-qty', required: true },
    price: amount('your-price'),
    unfulfillable: count('unfulfillable-qty'),
    reserved: count('reserved-quantity'),
    inbound: count('inbound-shipped-qty'),
  },
});

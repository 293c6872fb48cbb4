import type {
  Business,
  Region,
  SimAccount,
  SimEventGroup,
  SimIssue,
  SimListing,
  SimMarketplace,
  SimOrder,
  SimProduct,
  SimSettlement,
  SimTransaction,
  Truth,
} from '../business/types.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const SUPPRESSED: SimIssue = {
  code: '99300',
  message: 'Suppressed',
  severity: 'ERROR',
  categories: ['MISSING_ATTRIBUTE'],
  attributeNames: ['item_name'],
  actions: ['LISTING_SUPPRESSED'],
};

type MarketplaceRow = [string, string, Region, string, string, string, string, SimMarketplace['reportCharset']];
const rows: MarketplaceRow[] = [
  ['ATVPDKIKX0DER', 'US', 'na', 'USD', 'America/Los_Angeles', 'Amazon.com', 'en', 'UTF-8'],
  ['A2EUQ1WTGCTBG2', 'CA', 'na', 'CAD', 'America/Los_Angeles', 'Amazon.ca', 'en', 'UTF-8'],
  ['A1PA6795UKMFR9', 'DE', 'eu', 'EUR', 'Europe/Berlin', 'Amazon.de', 'de', 'Cp1252'],
  ['A1VC38T7YXB528', 'JP', 'fe', 'JPY', 'Asia/Tokyo', 'Amazon.co.jp', 'ja', 'Shift_JIS'],
];
const marketplaces: SimMarketplace[] = rows.map(
  ([marketplaceId, countryCode, region, currency, timeZone, salesChannel, language, reportCharset]) => ({
    marketplaceId,
    countryCode,
    region,
    currency,
    timeZone,
    salesChannel,
    language,
    reportCharset,
  }),
);

const account = (sellingPartnerId: string, region: Region, ...marketplaceIds: string[]): SimAccount => ({
  sellingPartnerId,
  region,
  storeName: sellingPartnerId === 'A1FAKE' ? 'Fake Home' : 'Fake Pets',
  marketplaceIds,
});
const accounts = [
  account('A1FAKE', 'na', 'ATVPDKIKX0DER', 'A2EUQ1WTGCTBG2'),
  account('A1FAKE', 'eu', 'A1PA6795UKMFR9'),
  account('A2FAKE', 'na', 'ATVPDKIKX0DER'),
  account('A2FAKE', 'fe', 'A1VC38T7YXB528'),
];

/** A SKU that has to survive paths, queries and files. */
export const awkwardSku = 'SP/A 50%+B';

function product(index: number, startAt: number): SimProduct {
  const sku = index === 0 ? awkwardSku : `FK-${String(index).padStart(3, '0')}`;
  return {
    sku,
    asin: `B0FAKE${String(index).padStart(4, '0')}`,
    fnsku: `X00FAKE${String(index).padStart(3, '0')}`,
    titles: {
      en: `Bottle ${index}`,
      // Greek and an arrow exist in none of the two narrow charsets together: one of them has to become "?".
      de: `Größe ${index} → Flasche`,
      ja: `水筒 ${index} é`,
    },
    brand: 'Fake',
    productType: 'BOTTLE',
    imageKey: 'bottle-blue',
    fulfilment: index === 1 ? 'MFN' : 'AFN',
    condition: 'New',
    lengthCm: 20,
    widthCm: 10,
    heightCm: 10,
    weightKg: 0.5,
    pack: 1,
    openedAt: startAt,
  };
}

function decimals(marketplaceId: string, cents: number): string {
  return marketplaceId === 'A1VC38T7YXB528' ? String(cents) : (cents / 100).toFixed(2);
}

/**
 * A business small enough to check by hand: 120 products everywhere; in each marketplace one order every hour from
 * `startAt` on, pending for 30 minutes, then unshipped, shipped after three hours; every tenth is cancelled; one
 * settlement of three lines every 14 days.
 */
export function fakeBusiness({ startAt }: { startAt: number }): Business {
  const products = Array.from({ length: 120 }, (_, index) => product(index, startAt));
  const at = <T>(list: T[], index: number): T => {
    const found = list[index % list.length];
    if (found === undefined) throw new Error('empty list');
    return found;
  };

  function orderAt(owner: SimAccount, marketplaceId: string, index: number, now: number): SimOrder {
    const bought = startAt + index * HOUR;
    const cancelled = index % 10 === 9 && now >= bought + HOUR;
    const shippedAt = bought + 3 * HOUR;
    const pending = now < bought + HOUR / 2;
    const shipped = !cancelled && now >= shippedAt;
    const status = pending ? 'PENDING' : cancelled ? 'CANCELLED' : shipped ? 'SHIPPED' : 'UNSHIPPED';
    const lastUpdatedAt = pending ? bought : cancelled ? bought + HOUR : shipped ? shippedAt : bought + HOUR / 2;
    const item = at(products, index);
    const money = (cents: number): string => (pending ? '' : decimals(marketplaceId, cents));
    const place = marketplaces.findIndex((m) => m.marketplaceId === marketplaceId);
    return {
      account: owner,
      orderId: `${100 + place}-${String(owner.sellingPartnerId === 'A1FAKE' ? 1 : 2).padStart(7, '0')}-${String(index).padStart(7, '0')}`,
      marketplaceId,
      purchasedAt: bought,
      lastUpdatedAt,
      status,
      fulfilment: item.fulfilment,
      isBusiness: index % 12 === 0,
      isReplacement: false,
      serviceLevel: 'Second Day',
      earliestShipAt: bought,
      latestShipAt: bought + DAY,
      earliestDeliverAt: bought + DAY,
      latestDeliverAt: bought + 4 * DAY,
      ...(shipped ? { shippedAt, carrier: 'UPS', trackingNumber: `1Z${index}` } : {}),
      ...(shipped && item.fulfilment === 'MFN'
        ? {
            packages: [
              {
                reference: '1',
                createdAt: shippedAt,
                shippedAt,
                carrier: 'UPS',
                service: 'Second Day',
                trackingNumber: `1Z${index}`,
                items: [{ orderItemId: String(10_000_000_000_000 + index), quantity: 2 }],
              },
            ],
          }
        : {}),
      buyer: { name: `Buyer ${index}`, email: `b${index}@example.com` },
      shipTo: {
        name: `Buyer ${index}`,
        line1: '1 Example Street',
        city: 'Köln',
        state: 'NW',
        postalCode: '50667',
        countryCode: 'DE',
        phone: '000',
      },
      items: [
        {
          orderItemId: String(10_000_000_000_000 + index),
          sku: item.sku,
          asin: item.asin,
          title: item.titles[at(marketplaces, place).language] ?? '',
          quantityOrdered: 2,
          quantityShipped: shipped ? 2 : 0,
          unitPrice: money(1999),
          itemPrice: money(3998),
          itemTax: money(320),
          shippingPrice: money(500),
          shippingTax: money(0),
          giftWrapPrice: money(0),
          giftWrapTax: money(0),
          itemDiscount: money(index % 5 === 0 ? 400 : 0),
          shippingDiscount: money(500),
          promotionIds: index % 5 === 0 ? ['PROMO-1'] : [],
        },
      ],
    };
  }

  function allOrders(owner: SimAccount, marketplaceIds: string[], now: number): SimOrder[] {
    const count = Math.max(0, Math.floor((now - startAt) / HOUR) + 1);
    return marketplaceIds.flatMap((id) => Array.from({ length: count }, (_, index) => orderAt(owner, id, index, now)));
  }

  function listing(owner: SimAccount, marketplaceId: string, item: SimProduct, index: number): SimListing {
    return {
      account: owner,
      marketplaceId,
      product: item,
      listingId: `0101FAKE${index}`,
      price: decimals(marketplaceId, 1999 + index),
      ...(item.fulfilment === 'MFN' ? { quantity: 7 } : {}),
      status: index === 3 ? 'INACTIVE' : 'ACTIVE',
      issues: index === 3 ? [SUPPRESSED] : [],
      lastUpdatedAt: startAt + index * HOUR,
    };
  }

  function settlement(owner: SimAccount, marketplaceId: string, number: number): SimSettlement {
    const market = at(
      marketplaces,
      marketplaces.findIndex((m) => m.marketplaceId === marketplaceId),
    );
    const [startsAt, endsAt] = [startAt + number * 14 * DAY, startAt + (number + 1) * 14 * DAY];
    const line = (transactionType: string, amountType: string, amountDescription: string, cents: number) => ({
      transactionType,
      amountType,
      amountDescription,
      amount: decimals(marketplaceId, cents),
      postedAt: endsAt - DAY / 2,
      marketplaceName: market.salesChannel,
      sku: awkwardSku,
    });
    return {
      account: owner,
      marketplaceId,
      settlementId: String(10_000_000_000 + number * 10 + marketplaces.indexOf(market)),
      reportId: String(50_000_000_000 + number * 10 + marketplaces.indexOf(market)),
      financialEventGroupId: `group-${number}`,
      currency: market.currency,
      startAt: startsAt,
      endAt: endsAt,
      depositAt: endsAt + 2 * DAY,
      total: decimals(marketplaceId, 1_234_567 - 150_000 - 99),
      lines: [
        line('Order', 'ItemPrice', 'Principal', 1_234_567),
        line('Order', 'ItemFees', 'Commission', -150_000),
        line('other-transaction', 'other-transaction', 'Storage Fee', -99),
      ],
    };
  }

  function transaction(owner: SimAccount, marketplaceId: string, index: number): SimTransaction {
    const postedAt = startAt + index * HOUR;
    return {
      account: owner,
      marketplaceId,
      transactionId: `tx-${marketplaceId}-${index}`,
      transactionType: 'Shipment',
      status: 'RELEASED',
      description: 'Order Payment',
      postedAt,
      currency: at(
        marketplaces,
        marketplaces.findIndex((m) => m.marketplaceId === marketplaceId),
      ).currency,
      total: decimals(marketplaceId, 1399),
      orderId: `100-0000001-${String(index).padStart(7, '0')}`,
      financialEventGroupId: 'group-0',
      items: [
        {
          sku: awkwardSku,
          breakdowns: [
            { path: ['Sales', 'Product Charges'], amount: decimals(marketplaceId, 1999) },
            { path: ['Expenses', 'Amazon Fees', 'Commission'], amount: decimals(marketplaceId, -300) },
            { path: ['Expenses', 'Amazon Fees', 'FBAPerUnitFulfillmentFee'], amount: decimals(marketplaceId, -300) },
          ],
        },
      ],
      breakdowns: [],
    };
  }

  function eventGroup(owner: SimAccount, marketplaceId: string, number: number, closed: boolean): SimEventGroup {
    const start = startAt + number * 14 * DAY;
    const market = at(
      marketplaces,
      marketplaces.findIndex((m) => m.marketplaceId === marketplaceId),
    );
    return {
      account: owner,
      marketplaceId,
      groupId: `group-${number}-${marketplaceId}`,
      currency: market.currency,
      startAt: start,
      ...(closed ? { endAt: start + 14 * DAY } : {}),
      beginning: decimals(marketplaceId, 0),
      total: decimals(marketplaceId, 100_000 + number),
    };
  }

  const emptyTruth = (owner: SimAccount, marketplaceId: string, asOf: number): Truth => ({
    asOf,
    sellingPartnerId: owner.sellingPartnerId,
    region: owner.region,
    marketplaceId,
    currency: 'USD',
    orders: 0,
    units: 0,
    productSales: '0.00',
    bySku: [],
    byDay: [],
    stock: [],
    settlements: [],
    ads: [],
    warehouse: {
      stock: [],
      returns: [],
      reimbursements: { count: 0, units: 0, amount: '0.00' },
      removals: { requested: 0, disposed: 0, shipped: 0 },
    },
    money: { bySku: [], shop: '0.00', net: '0.00' },
  });

  return {
    marketplaces,
    accounts,
    listings: (owner, marketplaceId) => products.map((item, index) => listing(owner, marketplaceId, item, index)),
    orders: (owner, { marketplaceIds, by, from, to }, now) =>
      allOrders(owner, marketplaceIds, now)
        .map((order) => ({ order, at: by === 'created' ? order.purchasedAt : order.lastUpdatedAt }))
        .filter((entry) => entry.at >= from && entry.at < to)
        .sort((a, b) => a.at - b.at)
        .map(({ order }) => order),
    order: (owner, orderId, now) => allOrders(owner, owner.marketplaceIds, now).find((o) => o.orderId === orderId),
    stock: (owner, marketplaceId) =>
      products.map((item, index) => ({
        account: owner,
        marketplaceId,
        product: item,
        fulfillable: 100 + index,
        unsellable: 2,
        reservedCustomerOrders: 3,
        reservedTransfers: 4,
        reservedProcessing: 5,
        researching: 1,
        inboundWorking: 10,
        inboundShipped: 20,
        inboundReceiving: 30,
        lastUpdatedAt: startAt + index * HOUR,
      })),
    fbaFees: () => ({ storage: [], previews: [] }),
    mismeasured: () => [],
    measure: () => false,
    ads: () => ({ campaigns: [], adGroups: [], ads: [], targets: [], negatives: [] }),
    adChanges: () => [],
    adRows: () => [],
    removable: () => undefined,
    remove: () => undefined,
    fba: () => ({ movements: [], days: [], returns: [], reimbursements: [], removals: [] }),
    settlements: (owner, now) => {
      const closed = Math.max(0, Math.floor((now - startAt) / (14 * DAY)));
      return Array.from({ length: closed }, (_, index) => closed - 1 - index).flatMap((number) =>
        owner.marketplaceIds.map((id) => settlement(owner, id, number)),
      );
    },
    eventGroups: (owner, now) => {
      const groups = Math.max(0, Math.floor((now - startAt) / (14 * DAY))) + 1;
      return Array.from({ length: groups }, (_, index) => groups - 1 - index).flatMap((number) =>
        owner.marketplaceIds.map((id) => eventGroup(owner, id, number, number < groups - 1)),
      );
    },
    transactions: (owner, { from, to, marketplaceId }, now) => {
      const count = Math.max(0, Math.floor((now - startAt) / HOUR) + 1);
      return owner.marketplaceIds
        .filter((id) => marketplaceId === undefined || id === marketplaceId)
        .flatMap((id) => Array.from({ length: count }, (_, index) => transaction(owner, id, index)))
        .filter((one) => one.postedAt >= from && one.postedAt < to);
    },
    truth: (owner, marketplaceId, _query, now) => emptyTruth(owner, marketplaceId, now),
    setOffer: () => false,
    confirmPackage: () => false,
    announceInbound: () => false,
    inboundReceived: () => [],
    freeForOutbound: () => 0,
    setAside: () => undefined,
    letGo: () => undefined,
    putBack: () => undefined,
    fulfilmentFee: () => 0,
    audit: () => [],
  };
}

import {
  AD_WINDOWS,
  type SimAdProduct,
  type SimAdPurchase,
  type SimAdRow,
  type SimAdSales,
} from '../business/ads-types.ts';

/** What a row of a report is summed of: a row of the business, or one product sold after it. */
export interface Part {
  row: SimAdRow;
  bought?: SimAdPurchase;
}
type Metric = (part: Part) => number;
type Metrics = Readonly<Record<string, Metric>>;

const WINDOWED: Readonly<Record<string, (sales: SimAdSales) => number>> = {
  purchases: (sales) => sales.purchases,
  purchasesSameSku: (sales) => sales.samePurchases,
  unitsSoldClicks: (sales) => sales.units,
  unitsSoldSameSku: (sales) => sales.sameUnits,
  sales: (sales) => Number(sales.sales),
  attributedSalesSameSku: (sales) => Number(sales.sameSales),
};

const SHOWN: Metrics = {
  impressions: ({ row }) => row.impressions,
  clicks: ({ row }) => row.clicks,
  cost: ({ row }) => Number(row.cost),
};

/** Sponsored Products: everything sold within 1, 7, 14 and 30 days of the click. */
const PRODUCTS: Metrics = {
  ...SHOWN,
  ...Object.fromEntries(
    Object.entries(WINDOWED).flatMap(([name, of]) =>
      AD_WINDOWS.map((days): [string, Metric] => [`${name}${days}d`, ({ row }) => of(row.within[days])]),
    ),
  ),
};

const clicked = (of: (sales: SimAdSales) => number): Metric => {
  return ({ row }) => of(row.within[14]);
};
/** After a click or a showing. */
const anyhow = (of: (sales: SimAdSales) => number): Metric => {
  return ({ row }) => of(row.within[14]) + of(row.viewed);
};

/** What search terms of Sponsored Brands have. */
const TERMS: Metrics = {
  ...SHOWN,
  purchases: anyhow((sales) => sales.purchases),
  purchasesClicks: clicked((sales) => sales.purchases),
  sales: anyhow((sales) => Number(sales.sales)),
  salesClicks: clicked((sales) => Number(sales.sales)),
  unitsSold: anyhow((sales) => sales.units),
};

/** Targets of Sponsored Brands also tell what was promoted. */
const BRAND_TARGETS: Metrics = {
  ...TERMS,
  purchasesPromoted: anyhow((sales) => sales.samePurchases),
  salesPromoted: anyhow((sales) => Number(sales.sameSales)),
};

const BRANDS: Metrics = {
  ...BRAND_TARGETS,
  unitsSoldClicks: clicked((sales) => sales.units),
  viewableImpressions: ({ row }) => row.views,
};

const DISPLAY: Metrics = {
  ...TERMS,
  unitsSoldClicks: clicked((sales) => sales.units),
  purchasesPromotedClicks: clicked((sales) => sales.samePurchases),
  salesPromotedClicks: clicked((sales) => Number(sales.sameSales)),
  impressionsViews: ({ row }) => row.views,
};

/** Products sold after ads of Sponsored Brands. */
const PURCHASED: Metrics = {
  orders14d: ({ bought }) => bought?.orders ?? 0,
  ordersClicks14d: ({ bought }) => bought?.orders ?? 0,
  unitsSold14d: ({ bought }) => bought?.units ?? 0,
  unitsSoldClicks14d: ({ bought }) => bought?.units ?? 0,
  sales14d: ({ bought }) => Number(bought?.sales ?? 0),
  salesClicks14d: ({ bought }) => Number(bought?.sales ?? 0),
};

/** Metrics by column name, of the report types that have columns of their own, and of each product's other ones. */
export function metricsOf(product: SimAdProduct, reportTypeId: string): Metrics {
  if (reportTypeId === 'sbPurchasedProduct') return PURCHASED;
  if (reportTypeId === 'sbSearchTerm') return TERMS;
  if (reportTypeId === 'sbTargeting') return BRAND_TARGETS;
  return { SP: PRODUCTS, SB: BRANDS, SD: DISPLAY }[product];
}

import { headerKey } from './headers.ts';

/** What a column of an order list can mean. */
export const ORDER_FIELDS = [
  'orderNumber',
  'date',
  'sku',
  'asin',
  'quantity',
  'amount',
  'currency',
  'status',
  'country',
  'state',
  'postalCode',
  'channel',
] as const;

export type OrderField = (typeof ORDER_FIELDS)[number];

/** Header (as in the file) per field; a field without a column is left out. */
export type ColumnMapping = Partial<Record<OrderField, string>>;

/** Chinese names of the fields, for the mapping page and for messages. */
export const ORDER_FIELD_TITLES: Readonly<Record<OrderField, string>> = {
  orderNumber: '订单号',
  date: '下单日期',
  sku: 'SKU',
  asin: 'ASIN',
  quantity: '数量',
  amount: '金额',
  currency: '币种',
  status: '订单状态',
  country: '国家',
  state: '省/州',
  postalCode: '邮编',
  channel: '销售渠道',
};

/** Fields without which a line is no order line. */
export const REQUIRED_FIELDS: readonly OrderField[] = ['orderNumber', 'date', 'quantity'];

/** Header words per field, best first. */
const SYNONYMS: Readonly<Record<OrderField, string>> = {
  orderNumber:
    'amazon-order-id|order id|order number|order no|order no.|order#|orderid|订单号|订单编号|亚马逊订单号|平台订单号|Bestellnummer|numéro de la commande|Numero ordine|número de pedido|注文番号|merchant-order-id',
  date: 'purchase-date|order date|date|ordered at|created at|order time|purchase date|下单日期|下单时间|订购时间|购买日期|订单日期|日期|Datum|Datum/Uhrzeit|date/time|日付|注文日',
  sku: 'seller-sku|sku|msku|merchant sku|item sku|卖家sku|平台sku|商品编码|Händler-SKU|sku-vendeur|出品者SKU',
  asin: 'asin|asin1|asin 1',
  quantity:
    'quantity|qty|quantity-purchased|units|pieces|pcs|count|数量|件数|销量|购买数量|Menge|quantité|Quantità|Cantidad',
  amount:
    'amount|item-price|total|order total|price|sales|item total|revenue|金额|订单金额|销售额|商品金额|总价|总金额|价格|Betrag|montant|importo|importe|合計',
  currency: 'currency|currency code|币种|货币|货币单位|Währung|devise|valuta|moneda|通貨',
  status: 'order-status|status|order state|订单状态|状态|Status der Bestellung|statut|stato|estado|ステータス',
  country: 'ship-country|country|country code|destination country|收货国家|国家|国家/地区|Land|pays|paese|país|国',
  state: 'ship-state|state|province|region|ship-province|州|省|省/州|省份|州/省|都道府県|Bundesland',
  postalCode: 'ship-postal-code|postal code|postcode|zip|zip code|ship-zip|邮编|邮政编码|PLZ|code postal|CAP|郵便番号',
  channel: 'sales-channel|channel|marketplace|site|销售渠道|渠道|站点|店铺站点|平台|销售平台',
};

const KEYS: Readonly<Record<OrderField, readonly string[]>> = Object.fromEntries(
  ORDER_FIELDS.map((field) => [field, SYNONYMS[field].split('|').map(headerKey)]),
) as Record<OrderField, string[]>;

/**
 * A first proposal for an order list: each field gets at most one column, each column at most one field. Only known
 * words are taken; what is not recognised stays open for the user.
 */
export function suggestMapping(headers: readonly string[]): ColumnMapping {
  const keys = headers.map(headerKey);
  const taken = new Set<number>();
  const mapping: ColumnMapping = {};
  for (const field of ORDER_FIELDS) {
    const at = KEYS[field]
      .map((key) => keys.findIndex((name, index) => name === key && !taken.has(index)))
      .find((index) => index >= 0);
    if (at === undefined) continue;
    taken.add(at);
    mapping[field] = headers[at] ?? '';
  }
  return mapping;
}

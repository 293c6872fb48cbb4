import { type AlibabaWorld, goodsOf, type Item, OFFERS, type Order, totalOf } from './world.ts';

type Params = Readonly<Record<string, string>>;
export interface Caller {
  world: AlibabaWorld;
  member: string;
}
type Call = (caller: Caller, params: Params) => object;

const FREIGHT = 1_200;
/** Goods for so many fen travel free. */
const FREE_FROM = 100_000;

/** Instants as the platform writes them: yyyyMMddHHmmssSSS+0800. */
export function stamp(at: number): string {
  const digits = new Date(at + 8 * 3_600_000).toISOString().replace(/\D/g, '');
  return `${digits}+0800`;
}

const yuan = (fen: number) => (fen / 100).toFixed(2);
const refusal = (errorCode: string, errorMsg: string) => ({
  success: false,
  errorCode,
  errorMsg,
  errorMessage: errorMsg,
});

interface Cargo {
  offerId: string | number;
  specId?: string;
  quantity: number;
}

/** What is asked for, priced; or why it cannot be had. */
function priced(params: Params): { items: Item[]; seller: string } | { problem: object } {
  const cargo = JSON.parse(params.cargoParamList ?? '[]') as Cargo[];
  const items: Item[] = [];
  const sellers = new Set<string>();
  for (const { offerId, specId, quantity } of cargo) {
    const offer = OFFERS.find((one) => one.offerId === String(offerId));
    const sku = offer?.skus.find((one) => one.specId === (specId ?? offer.skus[0]?.specId));
    if (!offer || !sku) return { problem: refusal('500_001', '商品已下架或规格不存在') };
    if (quantity < offer.minimum) return { problem: refusal('500_002', `起批量为${offer.minimum}${offer.unit}`) };
    if (quantity > sku.stock) return { problem: refusal('500_003', '库存不足') };
    sellers.add(offer.seller);
    items.push({ offerId: offer.offerId, specId: sku.specId, quantity, amount: sku.price * quantity });
  }
  const [seller, another] = sellers;
  if (!seller) return { problem: refusal('500_004', '没有商品') };
  if (another) return { problem: refusal('500_005', '仅支持同一卖家') };
  return { items, seller };
}

/** The items as the platform makes orders of them: those that are sent from one place are one. */
function parted(items: Item[]): Item[][] {
  const places = new Map<string, Item[]>();
  for (const item of items) {
    const depot = OFFERS.find((one) => one.offerId === item.offerId)?.depot ?? '';
    places.set(depot, [...(places.get(depot) ?? []), item]);
  }
  return [...places.values()];
}

const freightOf = (items: Item[]) => (goodsOf({ items }) >= FREE_FROM ? 0 : FREIGHT);

const preview: Call = (_caller, params) => {
  const found = priced(params);
  if ('problem' in found) return found.problem;
  const parts = parted(found.items).map((items) => {
    const goods = goodsOf({ items });
    const carriage = freightOf(items);
    return {
      sumPayment: goods + carriage,
      sumPaymentNoCarriage: goods,
      sumCarriage: carriage,
      discountFee: 0,
      tradeModeNameList: ['alipay', 'period'],
      cargoList: items.map((item) => ({
        offerId: Number(item.offerId),
        specId: item.specId,
        amount: item.amount,
        finalUnitPrice: item.amount / item.quantity,
      })),
    };
  });
  return { success: true, orderPreviewResuslt: parts };
};

/** Makes an order of each part; all of them carry the caller's own number, and the answer names all where there are several. */
const create: Call = ({ world, member }, params) => {
  const found = priced(params);
  if ('problem' in found) return found.problem;
  const head = { member, outOrderId: params.outOrderId ?? '', seller: found.seller };
  const orders = parted(found.items).map((items) => world.add({ ...head, items, freight: freightOf(items) }));
  const [first] = orders;
  const all = { orderList: orders.map(({ id, freight }) => ({ orderId: id, success: true, postFee: freight })) };
  return {
    success: true,
    result: {
      orderId: first?.id,
      totalSuccessAmount: orders.reduce((sum, order) => sum + totalOf(order), 0),
      postFee: orders.reduce((sum, order) => sum + order.freight, 0),
      failedOfferList: [],
      ...(orders.length > 1 ? all : {}),
    },
  };
};

function shown(order: Order) {
  return {
    baseInfo: {
      id: Number(order.id),
      idOfStr: order.id,
      status: order.status,
      totalAmount: yuan(totalOf(order)),
      shippingFee: yuan(order.freight),
      sumProductPayment: yuan(goodsOf(order)),
      discount: order.discount,
      refund: yuan(order.refund),
      createTime: stamp(order.createdAt),
      modifyTime: stamp(order.modifiedAt),
      ...(order.paidAt === undefined ? {} : { payTime: stamp(order.paidAt) }),
      sellerLoginId: order.seller,
      outOrderId: order.outOrderId,
    },
    productItems: order.items.map((item) => ({
      productID: Number(item.offerId),
      specId: item.specId,
      quantity: item.quantity,
      itemAmount: yuan(item.amount),
    })),
  };
}

const instantOf = (text: string) => {
  const [, y, mo, d, h, mi, s, ms] = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d{3})/.exec(text) ?? [];
  return Date.UTC(Number(y), Number(mo) - 1, Number(d), Number(h) - 8, Number(mi), Number(s), Number(ms));
};

const list: Call = ({ world, member }, params) => {
  const page = Number(params.page ?? 1);
  const size = Number(params.pageSize ?? 20);
  const since = params.modifyStartTime ? instantOf(params.modifyStartTime) : 0;
  const mine = [...world.orders.values()]
    .filter((order) => order.member === member && order.modifiedAt >= since)
    .filter((order) => !params.outOrderId || order.outOrderId === params.outOrderId)
    .sort((a, b) => a.modifiedAt - b.modifiedAt || a.id.localeCompare(b.id));
  return { result: mine.slice((page - 1) * size, page * size).map(shown), totalRecord: mine.length };
};

function own({ world, member }: Caller, id: string | undefined): Order | undefined {
  const order = world.orders.get(id ?? '');
  return order?.member === member ? order : undefined;
}

const offer: Call = (_caller, { productID }) => {
  const found = OFFERS.find((one) => one.offerId === productID);
  if (!found) return refusal('404', '商品不存在');
  return {
    success: true,
    productInfo: {
      productID: Number(found.offerId),
      subject: found.subject,
      supplierLoginId: found.seller,
      saleInfo: { unit: found.unit, minOrderQuantity: found.minimum },
      skuInfos: found.skus.map((sku) => ({
        specId: sku.specId,
        price: sku.price / 100,
        amountOnSale: sku.stock,
        attributes: [{ attributeValue: sku.attribute }],
      })),
    },
  };
};

const address: Call = () => ({
  success: true,
  result: {
    receiveAddressItems: [
      {
        id: 900001,
        fullName: '收货组',
        addressCodeText: '广东省 深圳市 龙岗区',
        address: '平湖街道沙箱路 1 号',
        isDefault: true,
      },
      {
        id: 900002,
        fullName: '义乌分仓',
        addressCodeText: '浙江省 金华市 义乌市',
        address: '稠江街道沙箱路 2 号',
        isDefault: false,
      },
    ],
  },
});

const trace: Call = (caller, { orderId }) => {
  const order = own(caller, orderId);
  if (!order || !['waitbuyerreceive', 'success'].includes(order.status)) return refusal('500_2', '未发货');
  return {
    success: true,
    logisticsTrace: [
      {
        logisticsId: `LP${order.id}`,
        logisticsBillNo: `YT${order.id.slice(-10)}`,
        logisticsSteps: [
          { acceptTime: stamp(order.modifiedAt), remark: '【发货地】已揽收' },
          ...(order.status === 'success' ? [{ acceptTime: stamp(order.modifiedAt), remark: '【收货地】已签收' }] : []),
        ],
      },
    ],
  };
};

const cancel: Call = (caller, { tradeID }) => {
  const order = own(caller, tradeID);
  if (order?.status !== 'waitbuyerpay') return refusal('ORDER_STATUS_ERROR', '订单状态不允许关闭');
  caller.world.change(order, { status: 'cancel' });
  return { success: true };
};

/** The buyer has the goods: the platform hands the money that it held to the seller. */
const confirm: Call = (caller, { orderId }) => {
  const order = own(caller, orderId);
  if (order?.status !== 'waitbuyerreceive') return refusal('ORDER_STATUS_ERROR', '订单状态不允许确认收货');
  caller.world.change(order, { status: 'success' });
  return { success: true };
};

const payUrl: Call = (caller, { orderIdList, publicUrl }) => {
  const ids = JSON.parse(orderIdList ?? '[]') as (string | number)[];
  if (!ids.every((id) => own(caller, String(id)))) return refusal('404', '订单不存在');
  return { success: true, payUrl: `${publicUrl ?? ''}/alibaba/pay?orderId=${ids.join(',')}` };
};

const detail: Call = (caller, { orderId }) => {
  const order = own(caller, orderId);
  return order ? { success: true, result: shown(order) } : refusal('404', '订单不存在');
};

/** The calls of the open platform that are stood in for, by "namespace/api". Amounts in fen or yuan as the real ones. */
export const CALLS: Readonly<Record<string, Call>> = {
  'com.alibaba.product/alibaba.product.simple.get': offer,
  'com.alibaba.trade/alibaba.trade.receiveAddress.get': address,
  'com.alibaba.trade/alibaba.createOrder.preview': preview,
  'com.alibaba.trade/alibaba.trade.fastCreateOrder': create,
  'com.alibaba.trade/alibaba.trade.getBuyerOrderList': list,
  'com.alibaba.trade/alibaba.trade.get.buyerView': detail,
  'com.alibaba.trade/alibaba.trade.cancel': cancel,
  'com.alibaba.trade/trade.receivegoods.confirm': confirm,
  'com.alibaba.trade/alibaba.alipay.url.get': payUrl,
  'com.alibaba.logistics/alibaba.trade.getLogisticsTraceInfo.buyerView': trace,
};

import { randomBytes } from 'node:crypto';

/** The one registered application; the values are public and worthless by design. */
export const alibabaApp = { key: '1688001', secret: 'alibaba-sandbox-secret' } as const;

const ACCESS_MS = 10 * 3_600_000;
const REFRESH_MS = 180 * 86_400_000;
const CODE_MS = 10 * 60_000;
/** A seller sends a paid order by himself after a minute, and the buyer gets it two minutes later. */
const SEND_MS = 60_000;
const SIGN_MS = 180_000;

/** Somebody who buys on the platform and may agree that an application buys for him. */
export const MEMBERS = [
  { memberId: 'b2b-2200657714', loginId: '沙箱采购一号', aliId: '2200657714' },
  { memberId: 'b2b-2200657715', loginId: '沙箱采购二号', aliId: '2200657715' },
] as const;

export interface Sku {
  specId: string;
  attribute: string;
  /** Fen for one unit. */
  price: number;
  stock: number;
}

export interface Offer {
  offerId: string;
  subject: string;
  seller: string;
  unit: string;
  minimum: number;
  /** Where the seller sends it from: goods of several places become an order each. */
  depot?: string;
  skus: readonly Sku[];
}

export const OFFERS: readonly Offer[] = [
  {
    offerId: '610947572360',
    subject: '不锈钢保温杯 500ml 双层真空',
    seller: '永康锐达五金',
    unit: '个',
    minimum: 10,
    skus: [
      { specId: 'spec-cup-black', attribute: '颜色:黑色', price: 1_860, stock: 20_000 },
      { specId: 'spec-cup-white', attribute: '颜色:白色', price: 1_860, stock: 8_000 },
    ],
  },
  {
    offerId: '627056024629',
    subject: '硅胶折叠碗 一套三只',
    seller: '东莞硅宝橡塑',
    unit: '套',
    minimum: 5,
    skus: [{ specId: 'spec-bowl-set', attribute: '规格:三只装', price: 2_400, stock: 5_000 }],
  },
  {
    offerId: '640011223344',
    subject: '硅胶锅铲 耐高温',
    seller: '东莞硅宝橡塑',
    unit: '把',
    minimum: 10,
    depot: '义乌仓',
    skus: [{ specId: 'spec-turner', attribute: '颜色:灰色', price: 735, stock: 5_000 }],
  },
];

export interface Item {
  offerId: string;
  specId: string;
  quantity: number;
  /** Fen. */
  amount: number;
}

export interface Order {
  id: string;
  member: string;
  outOrderId: string;
  seller: string;
  status: 'waitbuyerpay' | 'waitsellersend' | 'waitbuyerreceive' | 'success' | 'cancel';
  items: Item[];
  /** Fen: freight, what the seller took off, what went back. */
  freight: number;
  discount: number;
  refund: number;
  createdAt: number;
  modifiedAt: number;
  paidAt: number | undefined;
}

/** A misfortune that the next calls of an API have: not answered before or after its effect, answered in words nobody knows, or refused. */
export interface Fault {
  api: string;
  kind: 'before' | 'after' | 'garbled' | 'refused';
  times: number;
}

interface Grant {
  member: string;
  until: number;
}

export const goodsOf = (order: Pick<Order, 'items'>) => order.items.reduce((sum, item) => sum + item.amount, 0);
/** Fen that the buyer pays. */
export const totalOf = (order: Order) => goodsOf(order) + order.freight - order.discount;

/** Everything that the stand-in of the wholesale platform knows; it ends with the process. */
export class AlibabaWorld {
  readonly orders = new Map<string, Order>();
  readonly faults: Fault[] = [];
  readonly #codes = new Map<string, Grant>();
  readonly #access = new Map<string, Grant>();
  readonly #refresh = new Map<string, Grant>();
  /** Numbers go on where time is: a stand-in that starts anew forgets its orders, but never gives a number again. */
  #last = Date.now() * 1000;

  code(member: string): string {
    const code = randomBytes(16).toString('hex');
    this.#codes.set(code, { member, until: Date.now() + CODE_MS });
    return code;
  }

  /** A code works once. */
  takeCode(code: string): string | undefined {
    const grant = this.#codes.get(code);
    this.#codes.delete(code);
    return grant && grant.until > Date.now() ? grant.member : undefined;
  }

  access(member: string): { token: string; seconds: number } {
    const token = randomBytes(18).toString('base64url');
    this.#access.set(token, { member, until: Date.now() + ACCESS_MS });
    return { token, seconds: ACCESS_MS / 1000 };
  }

  refresh(member: string): { token: string; until: number } {
    const token = randomBytes(18).toString('base64url');
    const until = Date.now() + REFRESH_MS;
    this.#refresh.set(token, { member, until });
    return { token, until };
  }

  holder(token: string | undefined): string | undefined {
    const grant = this.#access.get(token ?? '');
    return grant && grant.until > Date.now() ? grant.member : undefined;
  }

  refresher(token: string | undefined): string | undefined {
    const grant = this.#refresh.get(token ?? '');
    return grant && grant.until > Date.now() ? grant.member : undefined;
  }

  /** Access tokens end at once; with `all`, consents as well. */
  expire(all: boolean): void {
    this.#access.clear();
    if (all) this.#refresh.clear();
  }

  /** Whether a fault strikes now; each strikes as often as it says. */
  strike(api: string, kind: Fault['kind']): boolean {
    const fault = this.faults.find((one) => one.api === api && one.kind === kind && one.times > 0);
    if (fault) fault.times -= 1;
    return fault !== undefined;
  }

  add(order: Omit<Order, 'id' | 'createdAt' | 'modifiedAt' | 'paidAt' | 'status' | 'discount' | 'refund'>): Order {
    this.#last += 7;
    const now = Date.now();
    const made: Order = {
      ...order,
      id: String(this.#last),
      status: 'waitbuyerpay',
      discount: 0,
      refund: 0,
      createdAt: now,
      modifiedAt: now,
      paidAt: undefined,
    };
    this.orders.set(made.id, made);
    return made;
  }

  change(order: Order, change: Partial<Order>): void {
    Object.assign(order, change, { modifiedAt: Date.now() });
  }

  pay(order: Order): void {
    if (order.status === 'waitbuyerpay') this.change(order, { status: 'waitsellersend', paidAt: Date.now() });
  }

  /** Lets sellers and carriers do what they do by themselves. */
  tick(): void {
    for (const order of this.orders.values()) {
      const since = Date.now() - (order.paidAt ?? Date.now());
      if (order.status === 'waitsellersend' && since > SEND_MS) this.change(order, { status: 'waitbuyerreceive' });
      if (order.status === 'waitbuyerreceive' && since > SIGN_MS) this.change(order, { status: 'success' });
    }
  }
}

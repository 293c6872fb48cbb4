import { Decimal } from '#kit/contract/decimal.ts';
import { Choice } from '#kit/contract/field.ts';
import { CARDS, type FulfilmentCard, type SizeTier } from './card.ts';
import { DSF_FROM, Establishment, OWED_ABROAD, OWED_AT_HOME } from './extras.ts';
import { FeeTier } from './tiers.ts';
import type { Verified } from './verified.ts';

/** What is charged beside the fee of sending. */
export const SurchargeKind = Choice(
  {
    FUEL: '燃油与物流附加费',
    PEAK: '旺季加价',
    DSF: '数字服务费',
    LOW_INVENTORY: '低库存水平费',
    PLACEMENT: '入库配置费',
    AGED: '超龄库存附加费',
    RETURN: '退货处理费',
  },
  '附加费',
);

/** One surcharge of a country for some days, for some goods. */
export interface Surcharge {
  kind: keyof typeof SurchargeKind.enum;
  country: string;
  from: string;
  /** Null: until further notice. */
  to: string | null;
  /** Which goods, stock or sellers it is of. */
  scope: string;
  /** What is charged, in words. */
  fee: string;
  /** Whether the calculator reckons with it. */
  isReckoned: boolean;
  source: string;
  verified: Verified;
}

const percent = (rate: string): string => `${new Decimal(rate).times(100).toFixed()}%`;
const nameOf = (code: FeeTier): string => FeeTier.meta()?.states?.[code]?.title ?? code;

/** A card's share of the fee on top; of cards that follow one another with the same share, one line. */
function fuel(): Surcharge[] {
  const rows: Surcharge[] = [];
  for (const { surcharge, country, from, to, source, verified } of CARDS) {
    if (surcharge === null) continue;
    const fee = `配送费 × ${percent(surcharge)}`;
    rows.push({ kind: 'FUEL', country, from, to, scope: '全部分段', fee, isReckoned: true, source, verified });
  }
  return rows;
}

/** The usual card that a card for the peak stands beside: the one before it of the same country, with the same prices. */
const usualOf = (peak: FulfilmentCard): FulfilmentCard | undefined =>
  CARDS.filter((card) => card.country === peak.country && card.from < peak.from).at(-1);

/** Smallest and largest difference of the fees of two tiers that have the same bands. */
function apart(peak: SizeTier, usual: SizeTier): readonly [Decimal, Decimal] | undefined {
  const all = peak.bands.flatMap(({ fees }, band) =>
    fees.map((fee, price) => new Decimal(fee).minus(usual.bands[band]?.fees[price] ?? fee)),
  );
  const [least, most] = [Decimal.min(...all), Decimal.max(...all)];
  return most.isZero() && least.isZero() ? undefined : [least, most];
}

/** What each tier costs more at the peak: the difference of the cards that fees are really reckoned by. */
function peak(): Surcharge[] {
  return CARDS.filter(({ from }) => from.endsWith('-10-15')).flatMap((card) => {
    const usual = usualOf(card);
    return card.tiers.flatMap((tier): Surcharge[] => {
      const other = usual?.tiers.find(({ code }) => code === tier.code);
      const more = other && apart(tier, other);
      if (!more) return [];
      const [least, most] = more.map((each) => each.toFixed(2));
      const { country, from, to, source, verified, currency } = card;
      const fee = `每件加 ${least === most ? least : `${least} – ${most}`} ${currency}，已在旺季费率卡中`;
      return [{ kind: 'PEAK', country, from, to, scope: nameOf(tier.code), fee, isReckoned: true, source, verified }];
    });
  });
}

/** Digital services fees: by where the seller is established, which the calculator takes to be elsewhere. */
function services(): Surcharge[] {
  const of = {
    kind: 'DSF',
    from: DSF_FROM,
    to: null,
    source: '亚马逊数字服务费公告的公开转录',
    verified: 'SECONDARY',
  } as const;
  const abroad = Object.entries(OWED_ABROAD).map(([country, { rate, onFulfilment }]) => ({
    ...of,
    country,
    scope: '注册在中国/其他地区的公司',
    fee: `${percent(rate)} × ${onFulfilment ? '（佣金 + 配送费）' : '佣金'}`,
    isReckoned: true,
  }));
  const home = Object.entries(OWED_AT_HOME).flatMap(([where, rate]) =>
    ['UK', 'DE', 'FR', 'IT', 'ES'].map((country) => ({
      ...of,
      country,
      scope: `注册在${Establishment.meta()?.states?.[where]?.title ?? where}的公司`,
      fee: `${percent(rate)} ×（佣金 + 配送费）`,
      isReckoned: false,
    })),
  );
  return [...abroad, ...home];
}

const told = (
  kind: Surcharge['kind'],
  country: string,
  [from, to]: readonly [string, string | null],
  verified: Verified,
  source: string,
  rows: readonly (readonly [scope: string, fee: string])[],
): Surcharge[] =>
  rows.map(([scope, fee]) => ({ kind, country, from, to, scope, fee, isReckoned: false, source, verified }));

const LOW_STOCK = [
  ['小号标准，可售 0–14 / 14–21 / 21–28 天', '每件 0.89 / 0.63 / 0.32 USD'],
  ['大号标准 ≤ 3 磅，可售 0–14 / 14–21 / 21–28 天', '每件 0.97 / 0.70 / 0.36 USD'],
  ['大号标准 3–20 磅，可售 0–14 / 14–21 / 21–28 天', '每件 1.11 / 0.87 / 0.47 USD'],
] as const;
const AGE_US = '公开转录的超龄库存费率（2026年）';

/** What depends on the stock and its shipments, and so is left out of a piece's profit. */
const stock: readonly Surcharge[] = [
  ...told(
    'LOW_INVENTORY',
    'US',
    ['2024-04-01', '2026-01-14'],
    'SECONDARY',
    '公开转录；按父商品计算，含在配送费内',
    LOW_STOCK,
  ),
  ...told(
    'LOW_INVENTORY',
    'US',
    ['2026-01-15', null],
    'UNVERIFIED',
    '公开转录的 2024 年数值；改按 FNSKU 计算，大件也收',
    LOW_STOCK,
  ),
  ...told('PLACEMENT', 'US', ['2024-03-01', '2026-01-14'], 'SECONDARY', '公开转录', [
    ['小号标准，最少拆分', '每件 0.21 – 0.30 USD'],
    ['大号标准，最少拆分', '每件 0.23 – 0.68 USD'],
    ['亚马逊优化拆分', '0'],
  ]),
  ...told('PLACEMENT', 'US', ['2026-01-15', null], 'UNVERIFIED', '公开转录：2026 年每件约涨 0.05，具体费率未知', [
    ['小号标准，最少拆分', '每件约 0.26 – 0.35 USD'],
    ['大号标准，最少拆分', '每件约 0.28 – 0.73 USD'],
    ['亚马逊优化拆分', '0'],
  ]),
  ...told('AGED', 'US', ['2026-01-16', null], 'SECONDARY', AGE_US, [
    ['181–210 / 211–240 / 241–270 天', '每立方英尺每月 0.50 / 1.00 / 1.50 USD'],
    ['271–300 / 301–330 / 331–365 天', '每立方英尺每月 5.45 / 5.70 / 5.90 USD'],
    ['366–455 天', '每立方英尺 6.90 或每件 0.30 USD，取大'],
    ['456 天以上', '每立方英尺 7.90 或每件 0.35 USD，取大'],
  ]),
  ...told('AGED', 'CA', ['2026-01-01', null], 'SECONDARY', AGE_US, [
    ['181–210 / 211–240 / 241–270 天', '每立方米每月 24 / 48 / 72 CAD'],
    ['271–300 / 301–330 / 331–365 天', '每立方米每月 156 / 172 / 189 CAD'],
    ['366 天以上', '每立方米 330 或每件 0.15 CAD，取大'],
  ]),
  ...told('AGED', 'UK', ['2026-07-01', null], 'SECONDARY', AGE_US, [
    ['241–270 / 271–300 / 301–330 / 331–365 天', '每立方英尺每月 1.18 / 3.14 / 3.26 / 3.41 GBP'],
    ['366–455 天', '每立方英尺 5.71 或每件 0.20 GBP，取大'],
    ['456 天以上', '每立方英尺 6.14 或每件 0.25 GBP，取大'],
  ]),
  ...told('AGED', 'DE', ['2026-07-01', null], 'SECONDARY', AGE_US, [
    ['241–270 / 271–300 / 301–330 / 331–365 天', '每立方米每月 47.99 / 125.16 / 129.92 / 135.98 EUR'],
    ['366–455 天', '每立方米 227.63 或每件 0.20 EUR，取大'],
    ['456 天以上', '每立方米 261.97 或每件 0.25 EUR，取大'],
  ]),
  ...told('RETURN', 'US', ['2024-06-01', null], 'UNVERIFIED', '费率表未收录', [
    ['退货率高于品类门槛的商品；服装与鞋', '费率未知，以费用预览为准'],
  ]),
];

/** All surcharges that are known, of every country and day; those of fees are read from the cards that fees are reckoned by. */
export const SURCHARGES: readonly Surcharge[] = [...fuel(), ...peak(), ...services(), ...stock];

/** What a shop advertises and how: campaigns, groups, ads, targets. A pure function of the seed and the catalogue. */
import { planBrands, planDisplay } from './ads-plan-brands.ts';
import { bidOf, Planner, wordsOf } from './ads-planner.ts';
import type { SimAdClause } from './ads-types.ts';
import type { AdPlan, Lane, Shop } from './model.ts';

const LANES_PER_AUTO = 8;
const AUTO: readonly { clause: SimAdClause; weight: number; bid: number }[] = [
  { clause: 'QUERY_HIGH_REL_MATCHES', weight: 0.4, bid: 1 },
  { clause: 'QUERY_BROAD_REL_MATCHES', weight: 0.25, bid: 0.8 },
  { clause: 'ASIN_SUBSTITUTE_RELATED', weight: 0.25, bid: 0.9 },
  { clause: 'ASIN_ACCESSORY_RELATED', weight: 0.1, bid: 0.7 },
];
/** Clicks that one order's worth of demand brings: with a bid paid at three quarters this is 8 % of sales or so. */
export const CLICKS_PER_ORDER = 2.4;

function automatic(planner: Planner, shop: Shop, lanes: readonly Lane[], number: number): void {
  const { language } = shop.market;
  const brand = lanes[0]?.product.brand ?? '';
  const home = planner.campaign(`SP-Auto-${brand}-${String(number).padStart(2, '0')}`, 'AUTO');
  const mean = Math.round(lanes.reduce((sum, lane) => sum + bidOf(lane), 0) / lanes.length);
  home.adGroup.defaultBid = planner.money(mean);
  const targets = AUTO.map(({ clause, bid }) => planner.target(home, { clause }, Math.max(2, Math.round(mean * bid))));
  for (const lane of lanes) {
    const ad = planner.ad(home, lane);
    const words = wordsOf(lane, language);
    const phrases = [words.slice(0, 3).join(' '), words.slice(0, 2).join(' '), words.slice(1, 4).join(' ')];
    for (const [index, target] of targets.entries()) {
      const { clause, weight, bid } = AUTO[index] ?? { clause: '', weight: 0, bid: 1 };
      const rivals = [
        `b0r${lane.product.asin.slice(3)}`.toLowerCase(),
        `b0x${lane.product.asin.slice(3)}`.toLowerCase(),
      ];
      const terms = clause.startsWith('QUERY') ? phrases : rivals;
      planner.line(home, ad, target, {
        lanes: [lane],
        weight: weight * 0.45,
        bid: Math.max(2, Math.round(mean * bid)),
        terms,
      });
    }
  }
  planner.negative(home, { match: 'NEGATIVE_EXACT', text: `${brand.toLowerCase()} manual` }, false);
  planner.negative(home, { match: 'NEGATIVE_PHRASE', text: 'replacement part' }, true);
  planner.negative(home, { asin: lanes[0]?.product.parentAsin ?? '' }, false);
}

function keywords(planner: Planner, shop: Shop, lane: Lane): void {
  const home = planner.campaign(`SP-KW-${lane.product.sku}`, 'MANUAL');
  const bid = bidOf(lane);
  home.adGroup.defaultBid = planner.money(bid);
  const ad = planner.ad(home, lane);
  const words = wordsOf(lane, shop.market.language);
  const full = words.slice(0, 4).join(' ');
  const short = words.slice(0, 2).join(' ');
  const brand = lane.product.brand.toLowerCase();
  const list = [
    { match: 'EXACT', text: full, weight: 0.3, terms: [full] },
    { match: 'PHRASE', text: short, weight: 0.35, terms: [short, full, `${short} ${words[4] ?? brand}`] },
    { match: 'BROAD', text: short, weight: 0.25, terms: [`${words[1] ?? short} ${words[0] ?? ''}`.trim(), full] },
    { match: 'EXACT', text: `${brand} ${words[0] ?? short}`, weight: 0.1, terms: [`${brand} ${words[0] ?? short}`] },
  ] as const;
  for (const { match, text, weight, terms } of list) {
    const target = planner.target(home, { match, text }, bid);
    planner.line(home, ad, target, { lanes: [lane], weight: weight * 0.9, bid, terms: [...terms] });
  }
}

function products(planner: Planner, lane: Lane): void {
  const home = planner.campaign(`SP-PT-${lane.product.sku}`, 'MANUAL');
  const bid = Math.max(2, Math.round(bidOf(lane) * 0.85));
  home.adGroup.defaultBid = planner.money(bid);
  const ad = planner.ad(home, lane);
  for (const letter of ['P', 'Q', 'S']) {
    const asin = `B0${letter}${lane.product.asin.slice(3)}`;
    const target = planner.target(home, { clause: 'ASIN_SAME_AS', text: asin }, bid);
    planner.line(home, ad, target, { lanes: [lane], weight: 0.1, bid, terms: [asin.toLowerCase()] });
  }
}

/** Budgets are round: whole dollars, hundreds of yen. */
export const BUDGET_STEP = 100;

const baseOf = (lanes: readonly Lane[]): number => lanes.reduce((sum, { base }) => sum + base, 0);

/** A day's budget: what the lines are expected to cost on an ordinary day and two thirds more, in whole units. */
function budgets(plan: AdPlan, planner: Planner): void {
  for (const campaign of plan.campaigns) {
    const expected = plan.lines
      .filter((line) => line.campaign === campaign)
      .reduce((sum, { lanes, weight, bid }) => sum + baseOf(lanes) * CLICKS_PER_ORDER * weight * bid * 0.75, 0);
    const minor = Math.max(5, Math.ceil((expected * 1.7) / BUDGET_STEP)) * BUDGET_STEP;
    campaign.budget = planner.money(minor);
    plan.budgets.set(campaign.campaignId, minor);
  }
}

/** All that a shop advertises: every product that Amazon ships, the best ones with keywords and product pages too. */
export function planAds(shop: Shop): AdPlan {
  const planner = new Planner(shop);
  const lanes = shop.lanes.filter(({ product }) => product.fulfilment === 'AFN');
  for (let at = 0; at < lanes.length; at += LANES_PER_AUTO) {
    automatic(planner, shop, lanes.slice(at, at + LANES_PER_AUTO), at / LANES_PER_AUTO + 1);
  }
  const best = [...lanes].sort((a, b) => b.base - a.base || a.index - b.index);
  for (const lane of best.slice(0, Math.min(10, Math.ceil(lanes.length / 4)))) keywords(planner, shop, lane);
  for (const lane of best.slice(0, Math.min(5, Math.ceil(lanes.length / 8)))) products(planner, lane);
  const [first] = best;
  if (first) {
    // A trial that was given up: it is there, paused, and has no figures.
    const home = planner.campaign(`SP-Test-${first.product.sku}`, 'AUTO', { state: 'PAUSED' });
    home.adGroup.defaultBid = planner.money(bidOf(first));
    planner.ad(home, first);
  }
  planBrands(planner, shop, best);
  planDisplay(planner, best);
  budgets(planner.plan, planner);
  return planner.plan;
}

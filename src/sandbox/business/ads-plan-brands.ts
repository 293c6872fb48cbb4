/** Campaigns of Sponsored Brands and Sponsored Display: of the best products of a shop. */
import { bidOf, type Planner, wordsOf } from './ads-planner.ts';
import type { Lane, Shop } from './model.ts';

/** Most products that one ad of Sponsored Brands shows. */
const SHOWN = 3;
/** A thousand showings that can be seen cost about so many clicks. */
const THOUSAND = 2;

function keyworded(planner: Planner, shop: Shop, name: string, lanes: readonly [Lane, ...Lane[]]): void {
  const [lane] = lanes;
  const home = planner.campaign(name, 'MANUAL');
  const bid = Math.round(bidOf(lane) * 1.1);
  home.adGroup.defaultBid = planner.money(bid);
  const brand = lane.product.brand.toLowerCase();
  const words = wordsOf(lane, shop.market.language);
  const short = words.slice(0, 2).join(' ');
  const ad = planner.brandAd(home, lanes, `${lane.product.brand} ${lanes.length > 1 ? 'collection' : 'video'}`);
  const list = [
    { match: 'EXACT', text: brand, terms: [brand] },
    { match: 'PHRASE', text: `${brand} ${words[0] ?? short}`, terms: [`${brand} ${words[0] ?? short}`, brand] },
    { match: 'BROAD', text: short, terms: [short, words.slice(0, 3).join(' ')] },
  ] as const;
  for (const { match, text, terms } of list) {
    const target = planner.target(home, { match, text }, bid);
    planner.line(home, ad, target, { lanes, weight: 0.22 / lanes.length, bid, terms: [...terms] });
  }
  planner.negative(home, { match: 'NEGATIVE_EXACT', text: `${brand} repair` }, false);
}

/** Sponsored Brands: a collection of the best products, the best one's video, and a rival's page. */
export function planBrands(planner: Planner, shop: Shop, best: readonly Lane[]): void {
  const [first, ...others] = best;
  if (!first) return;
  const brand = first.product.brand.replace(/\s+/g, '');
  const lanes: [Lane, ...Lane[]] = [first, ...others.slice(0, SHOWN - 1)];
  keyworded(planner, shop, `SB-PC-${brand}`, lanes);
  if (best.length > SHOWN) keyworded(planner, shop, `SB-Video-${first.product.sku}`, [first]);
  const home = planner.campaign(`SB-PT-${brand}`, 'MANUAL');
  const bid = bidOf(first);
  home.adGroup.defaultBid = planner.money(bid);
  const ad = planner.brandAd(home, lanes, `${first.product.brand} rivals`);
  const asin = `B0T${first.product.asin.slice(3)}`;
  const target = planner.target(home, { clause: 'ASIN_SAME_AS', text: asin }, bid);
  planner.line(home, ad, target, { lanes, weight: 0.06, bid, terms: [asin.toLowerCase()] });
  planner.negative(home, { asin: `B0U${first.product.asin.slice(3)}` }, false);
}

/** Sponsored Display: on the pages of rivals, paid by click, and to those who looked, paid by showings. */
export function planDisplay(planner: Planner, best: readonly Lane[]): void {
  const [first] = best;
  if (!first) return;
  const { sku } = first.product;
  const pages = planner.campaign(`SD-PT-${sku}`, 'MANUAL');
  const lookers = planner.campaign(`SD-Audience-${sku}`, 'MANUAL', { costType: 'VCPM' });
  const bid = Math.max(2, Math.round(bidOf(first) * 0.8));
  pages.adGroup.defaultBid = planner.money(bid);
  lookers.adGroup.defaultBid = planner.money(bid * THOUSAND);
  const rival = `B0V${first.product.asin.slice(3)}`;
  const page = planner.target(pages, { clause: 'ASIN_SAME_AS', text: rival }, bid);
  const audience = planner.target(lookers, { clause: 'VIEWS' }, bid * THOUSAND);
  for (const lane of best.slice(0, 2)) {
    const lanes = [lane];
    planner.line(pages, planner.ad(pages, lane), page, { lanes, weight: 0.12, bid, terms: [''] });
    const shown = { lanes, weight: 0.3, bid: bid * THOUSAND, terms: [''] };
    planner.line(lookers, planner.ad(lookers, lane), audience, shown);
  }
  planner.negative(pages, { asin: `B0W${first.product.asin.slice(3)}` }, false);
}

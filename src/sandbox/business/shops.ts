/** Building the shops of a scenario. Cheap: nothing is simulated until someone looks. */
import { lanes, products } from './catalogue.ts';
import { EventHeap } from './heap.ts';
import { localDate, localMidnight, MARKETPLACES, marketplaceOf, nextDay } from './marketplaces.ts';
import { plantMeasures } from './measured.ts';
import type { Shop } from './model.ts';
import { type CountryPlan, type ScenarioName, type SellerPlan, sellersOf } from './scenario.ts';
import type { SimAccount, SimProduct } from './types.ts';

interface Cast {
  accounts: SimAccount[];
  shops: Shop[];
}

/** All accounts of a scenario and their shops, one per account and marketplace. */
export function cast(seed: string, scenario: ScenarioName, startAt: number): Cast {
  const accounts: SimAccount[] = [];
  const shops: Shop[] = [];
  for (const plan of sellersOf(scenario)) {
    const items = products({ seed, plan }, startAt);
    for (const { region, countries } of plan.regions) {
      const account: SimAccount = {
        sellingPartnerId: plan.sellingPartnerId,
        region,
        storeName: plan.brand,
        marketplaceIds: countries.map(({ country }) => marketplaceOf(country).marketplaceId),
      };
      accounts.push(account);
      const own = countries.map((country, place) =>
        shopOf(seed, plan, account, country, items, startAt, shops.length + place),
      );
      plantMeasures(own, plan.mismeasured ?? 0);
      shops.push(...own);
    }
  }
  return { accounts, shops };
}

function shopOf(
  seed: string,
  plan: SellerPlan,
  account: SimAccount,
  country: CountryPlan,
  items: SimProduct[],
  startAt: number,
  index: number,
): Shop {
  const market = marketplaceOf(country.country);
  const firstDay = firstWholeDay(market.timeZone, startAt);
  return {
    seed,
    index,
    account,
    market,
    startAt,
    lanes: lanes({ seed, plan }, country, market, items, startAt),
    simulatedUntil: localMidnight(market.timeZone, firstDay),
    nextDay: firstDay,
    dayCount: 0,
    orders: [],
    orderById: new Map(),
    charges: [],
    heap: new EventHeap(),
    week: { coupons: 0 },
    announced: new Map(),
    outbound: new Map(),
    removals: new Map(),
    ads: { plan: undefined, days: new Map(), spend: [], attributed: 0 },
    settled: [],
  };
}

/** The first business day that begins at or after an instant. */
function firstWholeDay(timeZone: string, instant: number): string {
  const day = localDate(timeZone, instant);
  return localMidnight(timeZone, day) >= instant ? day : nextDay(day);
}

/** The simulated marketplaces that some account of the cast sells in, in table order. */
export function marketplacesOf(accounts: SimAccount[]): typeof MARKETPLACES {
  const ids = new Set(accounts.flatMap((account) => account.marketplaceIds));
  return MARKETPLACES.filter((one) => ids.has(one.marketplaceId));
}

import { afterAll, beforeAll, expect, it } from 'vitest';
import { dispatchAt } from '../wire/inbound/journey.ts';
import { Inbounder } from './inbound-support.ts';
import { consentedSeller } from './seller-support.ts';
import { DAY } from './wire-support.ts';

let way: Inbounder;
beforeAll(async () => {
  way = new Inbounder(await consentedSeller());
});
afterAll(() => way.seller.sandbox.close());

const PIECES = 50;

/** Many shipments of one product each, as chance lets them arrive. */
function arrivals(count: number) {
  const at = way.world.now();
  return Array.from({ length: count }, (_, index) => {
    const items = [{ msku: 'ANY', quantity: PIECES, labelOwner: 'NONE' as const, prepOwner: 'NONE' as const }];
    const facts = { shipmentId: `sh${index}`, items, phases: [{ status: 'WORKING', at }], found: [] };
    const { phases = [], receipts = [] } = dispatchAt(way.world, facts, at);
    const total = receipts.reduce((sum, { sellable, damaged }) => sum + sellable + damaged, 0);
    return { total, damaged: receipts.reduce((sum, one) => sum + one.damaged, 0), phases, rounds: receipts.length };
  });
}

it('chance loses, finds too many and damages, seldom; without it everything arrives', () => {
  const all = arrivals(1000);
  const share = (fits: (one: (typeof all)[number]) => boolean) => all.filter(fits).length / all.length;
  expect(share(({ total }) => total < PIECES)).toBeCloseTo(0.06, 1);
  expect(share(({ total }) => total < PIECES)).toBeGreaterThan(0.03);
  expect(share(({ total }) => total > PIECES)).toBeGreaterThan(0.005);
  expect(share(({ damaged }) => damaged > 0)).toBeGreaterThan(0.01);
  expect(all.every(({ total }) => total >= PIECES - 3 && total <= PIECES + 1)).toBe(true);
  expect(arrivals(1000)).toEqual(all);
  way.world.inbound.settings.chance = false;
  expect(arrivals(100).every(({ total, damaged }) => total === PIECES && damaged === 0)).toBe(true);
});

it('the way takes days, goes through every status in order, and can be made as short as one likes', () => {
  const names = ['WORKING', 'READY_TO_SHIP', 'SHIPPED', 'IN_TRANSIT', 'DELIVERED', 'CHECKED_IN', 'RECEIVING', 'CLOSED'];
  const length = ({ phases }: { phases: { at: number }[] }) => (phases.at(-1)?.at ?? 0) - (phases[0]?.at ?? 0);
  for (const one of arrivals(50)) {
    expect(one.phases.map(({ status }) => status)).toEqual(names);
    expect(one.phases.every(({ at }, index) => at >= (one.phases[index - 1]?.at ?? 0))).toBe(true);
    expect(length(one)).toBeGreaterThan(5 * DAY);
    expect(one.rounds).toBeGreaterThanOrEqual(2);
  }
  way.world.inbound.settings.pace = 0.01;
  for (const one of arrivals(50)) expect(length(one)).toBeLessThan(DAY);
});

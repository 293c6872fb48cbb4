import { inTenant } from '#kit/server/runtime.ts';
import { findAll } from '#modules/product/server/match/suggest/run.ts';
import { fillFacts } from './support/listing-facts.ts';
import { FIRST_SITE, LISTING_PAGES, type ListingPage } from './support/listing-pages.ts';
import { type Sellers, sellersOf, US } from './support/listings.ts';
import { median, report, step, timed } from './support/measure.ts';
import { type BenchWorld, sessionOf } from './support/world.ts';

const ROUNDS = 7;
const IDLE = '/admin/api/v1/favourites';

/** Both in turn, so that whatever else the machine does falls on both. */
async function inTurn(works: readonly (() => Promise<unknown>)[]): Promise<number[]> {
  const found = works.map((): number[] => []);
  for (let round = -1; round < ROUNDS; round += 1) {
    for (const [index, work] of works.entries()) {
      const begin = performance.now();
      await work();
      if (round >= 0) found[index]?.push(performance.now() - begin);
    }
  }
  return found.map(median);
}

/** Each page against the statements by hand behind a call that does nothing else. */
async function pages(world: BenchWorld, { principal, first }: Sellers, wanted: readonly ListingPage[]): Promise<void> {
  const { app } = await world.api();
  const headers = { jsessionid: await sessionOf(world, app, principal) };
  const call = async (path: string, body: object) => {
    const answer = await app.inject({
      method: 'POST',
      url: `/api${path}`,
      headers,
      payload: { pagesize: 20, ...body },
    });
    if (answer.json<{ code: number }>().code !== 201) throw new Error(`${path}: ${answer.body.slice(0, 300)}`);
  };
  // A call that knows its session and little else: what any answer costs, however it is found.
  const idle = () => app.inject({ method: 'GET', url: IDLE, headers });
  for (const { name, path, body, byHand } of wanted) {
    const asked = JSON.parse(JSON.stringify(body).replaceAll(FIRST_SITE, `${US}-${first}`));
    const [ours = 0, hand = 0] = await inTurn([
      () => call(path, asked),
      async () => {
        await idle();
        for (const text of byHand) {
          await world.admin.query(text, text.includes('$2') ? [principal.companyId, first] : [principal.companyId]);
        }
      },
    ]);
    report(name, ours, hand, 'ms', '<= 1.5');
  }
}

/** What nobody paired, compared with everything that it might be: how many listings a second. */
async function suggestions(world: BenchWorld, { principal, count }: Sellers): Promise<void> {
  const run = await timed(world, () =>
    inTenant(world.runtime, principal, (ctx) => findAll(ctx), { timeoutMs: 600_000 }),
  );
  const { unpaired, open } = run.result;
  report(
    `pairing suggestions, ${count} listings, ${unpaired} unpaired`,
    run.ms / 1000,
    20,
    's',
    '<= 1',
    `${Math.round((count / run.ms) * 1000)} listings/s, ${open} suggestions`,
  );
  await world.admin.query('VACUUM (ANALYZE) product.match_suggestion, product.match_conflict');
}

/** The lists of listings, of what is told of them each day, and of what is to be done about them. */
export async function listingLists(world: BenchWorld, count: number): Promise<void> {
  const sellers = await sellersOf(world, count);
  await step('two years of facts', () => fillFacts(world, sellers));
  await world.admin.query('VACUUM (ANALYZE)');
  await suggestions(world, sellers);
  await pages(world, sellers, LISTING_PAGES);
}

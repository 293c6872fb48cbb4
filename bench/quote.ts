import { inTenant } from '#kit/server/runtime.ts';
import { compareChannels } from '#modules/shipping/contract/transport/calls.ts';
import { CardInput } from '#modules/shipping/contract/transport/price.ts';
import { addCard } from '#modules/shipping/server/transport/price/add.ts';
import { median, report, step } from './support/measure.ts';
import { type BenchWorld, sessionOf } from './support/world.ts';

const ROUNDS = 40;
const SIZES = 20;

async function timesOf(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const begin = performance.now();
    await work();
    if (round >= ROUNDS / 4) times.push(performance.now() - begin);
  }
  return median(times);
}

/** The least that answers the question: the newest card of each channel and its tiers, as rows. */
const BY_HAND = `
  SELECT c.id, v.id, v.currency, t.from_qty, t.to_qty, t.price
    FROM shipping.channel AS c
    JOIN LATERAL (SELECT * FROM shipping.price_version AS p WHERE p.company_id = c.company_id AND p.channel_id = c.id
                     AND p.valid_from <= $2::date ORDER BY p.seq DESC LIMIT 1) AS v ON true
    JOIN shipping.price_tier AS t ON t.company_id = v.company_id AND t.version_id = v.id
   WHERE c.company_id = $1 AND c.country = 'US' ORDER BY c.id, t.from_qty`;

/**
 * A comparison of 20 sizes of boxes over all channels into a country, over HTTP without a socket, against reading the cards
 * and tiers that it needs by plain SQL: so many channels, which measure in twelve
 * ways, with so many cards of so many tiers each.
 */
export async function quote(world: BenchWorld, channels: number, cards: number, tiers: number): Promise<void> {
  const owner = await world.company();
  const today = await inTenant(world.runtime, owner, async (ctx) => ctx.clock.today());
  await step('price cards', async () => {
    const { rows } = await world.admin.query<{ id: string }>(
      `WITH k AS (INSERT INTO shipping.carrier (company_id, name) VALUES ($1, '测量') RETURNING id)
       INSERT INTO shipping.channel (company_id, carrier_id, name, mode, country, bill_unit, divisor, weight_step, split_rate, round_per, days_min, days_max)
       SELECT $1, k.id, '渠道' || n, 'SEA', 'US', 'KG', 5000 + n % 2 * 1000,
              0.5 * (n % 3), 0.25 * (n % 4), 'BOX', 5 + n % 20, 25 + n % 30 FROM k, generate_series(1, $2::int) AS n
       RETURNING id`,
      [owner.companyId, channels],
    );
    await inTenant(
      world.runtime,
      owner,
      async (ctx) => {
        for (const [index, { id }] of rows.entries()) {
          for (let card = 0; card < cards; card += 1) {
            const prices = Array.from({ length: tiers }, (_, n) => ({
              from: String(n * 100),
              to: n === tiers - 1 ? null : String(n * 100 + 99),
              price: (20 - n + index / 1000 + card).toFixed(3),
            }));
            const input = CardInput.parse({ validFrom: ctx.clock.dayAhead((card - cards + 1) * 30), tiers: prices });
            await addCard(ctx, id, input, 'manual');
          }
        }
      },
      { timeoutMs: 0 },
    );
    await world.admin.query('VACUUM (ANALYZE) shipping.channel, shipping.price_version, shipping.price_tier');
  });
  const boxes = Array.from({ length: SIZES }, (_, n) => ({
    count: 2,
    length: String(40 + n),
    width: '40',
    height: '35.5',
    weight: `${12 + n}.25`,
  }));
  const { app } = await world.api();
  const headers = { jsessionid: await sessionOf(world, app, owner) };
  const ours = await timesOf(async () => {
    const answer = await app.inject({
      method: 'POST',
      url: `/api${compareChannels.path}`,
      headers,
      payload: { boxes, country: 'US' },
    });
    const { data } = answer.json<{ data: { quotes: { total: string | null }[] } }>();
    if (data?.quotes.filter((one) => one.total !== null).length !== channels)
      throw new Error(answer.body.slice(0, 300));
  });
  const hand = await timesOf(() => world.admin.query(BY_HAND, [owner.companyId, today]));
  report(`compare ${channels} channels, ${channels * cards * tiers} price rows`, ours, hand, 'ms', '< 100 ms');
}

import { middle, reportTimes, step, timed } from './support/measure.ts';
import { seedMoney, seedSettlement, settledByHand } from './support/profit.ts';
import { type BenchWorld, sessionOf } from './support/world.ts';

const LIST = '/amazon/api/v1/settlementSku/list';
const MONTH = { from: '2026-06-01', to: '2026-07-05' };
const ROUNDS = 7;

/** Money of one large settlement by SKU, straight from its lines; by hand nobody looks up what its pieces cost. */
export async function settled(world: BenchWorld, skus: number): Promise<void> {
  const principal = await world.company();
  const account = await world.account(principal);
  await step(`money of ${skus} SKUs`, () => seedMoney(world, account, skus));
  await seedSettlement(world, account);
  await world.admin.query('VACUUM (ANALYZE) settlement.money_line');
  const { app } = await world.api();
  const session = await sessionOf(world, app, principal);
  const ask = async () => {
    const payload = { filter: { date: MONTH } };
    const answer = await app.inject({ method: 'POST', url: LIST, headers: { jsessionid: session }, payload });
    if (answer.statusCode !== 200) throw new Error(answer.body);
  };
  const ours = [];
  const baselines = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    baselines.push(await timed(world, () => settledByHand(world, account)));
    ours.push(await timed(world, ask));
  }
  reportTimes(`a settlement by SKU, ${skus} SKUs`, middle(ours), middle(baselines), '<= 3');
}

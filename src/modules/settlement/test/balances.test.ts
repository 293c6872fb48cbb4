import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { plainDecimal } from '#kit/contract/decimal.ts';
import type { AccountRef } from '#modules/marketplace/server/index.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { type BalanceRow, listBalances } from '../contract/balances.ts';
import { type ApiEventGroup, parseGroup } from '../server/balance/groups.ts';
import { landGroups } from '../server/balance/stream.ts';
import { settlementLoader } from '../server/loader.ts';
import { DE, FR, makeAccount, source, v2File } from './support.ts';

const READ_AT = '2026-01-20T00:00:00.000Z';

let world: World;
let owner: Person;
let account: AccountRef;

beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  owner = await world.owner();
  account = await makeAccount(world, owner, { region: 'eu', marketplaceIds: [DE, FR] });
});

const eur = (CurrencyAmount: number) => ({ CurrencyCode: 'EUR', CurrencyAmount });

function group(id: string, overrides: Partial<ApiEventGroup> = {}): ApiEventGroup {
  return {
    FinancialEventGroupId: id,
    ProcessingStatus: 'Closed',
    OriginalTotal: eur(100),
    BeginningBalance: eur(0),
    FinancialEventGroupStart: '2026-01-01T00:00:00Z',
    FinancialEventGroupEnd: '2026-01-15T00:00:00Z',
    ...overrides,
  };
}

const land = (groups: ApiEventGroup[], readAt = READ_AT) =>
  world.as(owner, (ctx) =>
    landGroups(
      ctx,
      account,
      groups.flatMap((one) => parseGroup(one) ?? []),
      readAt,
    ),
  );

/** A settlement of one store with one fee, from 1 to 15 January. */
const settle = (settlementId: string, total: string, marketplaceId = DE) =>
  world.as(owner, (ctx) =>
    settlementLoader.load(
      ctx,
      source(
        account,
        v2File({ settlementId, total, currency: 'EUR' }, [
          { transactionType: 'ServiceFee', amountType: 'Other', amountDescription: 'Fee', amount: total },
        ]),
        { marketplaceIds: [marketplaceId] },
      ),
    ),
  );

async function row(id: string): Promise<BalanceRow> {
  const { records } = await owner.call(listBalances, { body: { filter: { search: id } } });
  const [found] = records;
  if (!found) throw new Error(`no group ${id}`);
  return found;
}

it('two stores whose euro periods end together each find their own settlement, by the total', async () => {
  await land([group('DE'), group('FR', { OriginalTotal: eur(250.5) })]);
  expect(await row('DE')).toMatchObject({ verdict: 'differs', reason: 'noFile', ours: null, settlementId: null });
  await settle('15000000001', '250.50', FR);
  await settle('15000000002', '100.00', DE);
  expect(await row('DE')).toMatchObject({ verdict: 'agreed', settlementId: '15000000002', store: { country: 'DE' } });
  expect(await row('FR')).toMatchObject({ verdict: 'agreed', settlementId: '15000000001', store: { country: 'FR' } });
});

it('a total that is not the settlement is a difference of its amount', async () => {
  await settle('15000000003', '99.20');
  await land([group('G')]);
  const found = await row('G');
  expect(found).toMatchObject({ verdict: 'differs', reason: 'amount', settlementId: '15000000003' });
  expect(plainDecimal(found.difference ?? '')).toBe('0.8');
});

it('a total that Amazon leaves out is no difference, and what it said before holds', async () => {
  const { OriginalTotal: _, ...silent } = group('G');
  await settle('15000000004', '100.00');
  await land([silent]);
  expect(await row('G')).toMatchObject({ verdict: 'ongoing', reason: 'noTotal', total: null, difference: null });
  await land([group('G')]);
  expect(await row('G')).toMatchObject({ verdict: 'agreed' });
  await land([silent]);
  expect(await row('G')).toMatchObject({ verdict: 'agreed' });
  // The balance of an open period says nothing of what it will be when it has closed.
  const open = { ProcessingStatus: 'Open', FinancialEventGroupEnd: null };
  await land([group('H', { ...open, OriginalTotal: eur(7) })]);
  await land([{ ...silent, FinancialEventGroupId: 'H' }]);
  expect(await row('H')).toMatchObject({ state: 'closed', total: null, reason: 'noTotal' });
});

it('an answer that is older than what is known changes nothing', async () => {
  await land([group('G', { OriginalTotal: eur(5) })]);
  await land([group('G', { OriginalTotal: eur(4) })], '2026-01-19T00:00:00.000Z');
  expect(plainDecimal((await row('G')).total ?? '')).toBe('5');
});

it('a period just closed waits for its file; one in which nothing moved needs none', async () => {
  await land([group('NEW')], '2026-01-16T00:00:00.000Z');
  expect(await row('NEW')).toMatchObject({ verdict: 'ongoing', reason: 'awaitsFile' });
  await land([group('NONE', { OriginalTotal: eur(0) })]);
  expect(await row('NONE')).toMatchObject({ verdict: 'agreed', reason: 'empty' });
});

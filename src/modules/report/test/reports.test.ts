import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AccountRef, AskedPeriod, ReportSource } from '#modules/marketplace/server/index.ts';
import { DE, makeSellerAccount } from '#test/support/seller.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { feedback, vat } from '../contract/reports.ts';
import { factLoaders } from '../server/facts.ts';

const FR = 'A13V1IB3VIYZZH';
let world: World;
let owner: Person;
let account: AccountRef;

beforeAll(async () => {
  world = await createWorld();
  owner = await world.owner();
  account = await makeSellerAccount(world, owner, { region: 'eu', marketplaceIds: [DE, FR] });
});
afterAll(() => world.close());

const june = (at: string): AskedPeriod => ({
  from: '2026-05-31T22:00:00.000Z',
  to: '2026-06-30T22:00:00.000Z',
  at: `2026-07-03T${at}:00.000Z`,
  wholeDays: true,
});

function load(type: string, rows: readonly (readonly string[])[], sites: readonly string[], asked?: AskedPeriod) {
  const bytes = Buffer.from(rows.map((row) => `${row.join('\t')}\n`).join(''));
  const source: ReportSource = {
    account,
    reportType: type,
    marketplaceIds: sites,
    open: async function* () {
      yield bytes;
    },
    charset: 'UTF-8',
    sha256: createHash('sha256').update(bytes).digest('hex'),
    documentId: randomUUID(),
    fileName: 'report.txt',
    asked,
  };
  const loader = factLoaders.find(({ reportTypes }) => reportTypes.includes(type));
  if (!loader) throw new Error(type);
  return world.as(owner, (ctx) => loader.load(ctx, source));
}

const FEEDBACK = ['Date', 'Rating', 'Comments', 'Response', 'Order ID', 'Rater Email'];

it('feedback: German days, a rating that is none goes aside, a withdrawn one is gone with the next report', async () => {
  const rows = [
    FEEDBACK,
    ['15.06.26', '5', 'Schnell', '', '302-1', 'a@example.com'],
    ['16.06.26', '2', 'Zu spät', 'Sorry', '302-2', 'b@example.com'],
    ['17.06.26', '9', '?', '', '302-3', 'c@example.com'],
  ];
  const counts = await load('GET_SELLER_FEEDBACK_DATA', rows, [DE], june('10:00'));
  expect(counts).toMatchObject({ rowsIn: 3, inserted: 2, quarantined: 1 });
  const bad = await owner.call(feedback.list, { body: { filter: { bad: 'true' } } });
  expect(bad.records).toMatchObject([{ day: '2026-06-16', rating: 2, orderId: '302-2', response: 'Sorry' }]);
  await load('GET_SELLER_FEEDBACK_DATA', rows.slice(0, 2), [DE], june('11:00'));
  const left = await owner.call(feedback.list, { body: { filter: {} } });
  expect(left.records.map(({ orderId }) => orderId)).toEqual(['302-1']);
});

it('feedback of one marketplace leaves that of its neighbour alone, though they share a stock', async () => {
  await load('GET_SELLER_FEEDBACK_DATA', [FEEDBACK, ['15/06/2026', '4', 'Bien', '', '404-1', '']], [FR], june('12:00'));
  const { records } = await owner.call(feedback.list, { body: { filter: {} } });
  expect(records.map(({ store }) => store.country).sort()).toEqual(['DE', 'FR']);
});

const VAT = [
  'ACTIVITY_PERIOD',
  'MARKETPLACE',
  'TRANSACTION_TYPE',
  'TRANSACTION_EVENT_ID',
  'ACTIVITY_TRANSACTION_ID',
  'TRANSACTION_COMPLETE_DATE',
  'SELLER_SKU',
  'ASIN',
  'QTY',
  'TOTAL_ACTIVITY_VALUE_AMT_VAT_EXCL',
  'TOTAL_ACTIVITY_VALUE_VAT_AMT',
  'TOTAL_ACTIVITY_VALUE_AMT_VAT_INCL',
  'PRICE_OF_ITEMS_VAT_RATE_PERCENT',
  'TRANSACTION_CURRENCY_CODE',
];

it('VAT: one report of an account, its rows at the marketplaces that they name; loading it again writes nothing', async () => {
  const line = (site: string, kind: string, id: string, net: string, tax: string, gross: string) =>
    ['2026-JUN', site, kind, id, `${id}-1`, '05-06-2026', 'A', 'B1', '1', net, tax, gross, '0.19', 'EUR'] as const;
  const rows = [
    VAT,
    line('amazon.de', 'SALE', '302-1', '100.00', '19.00', '119.00'),
    line('amazon.fr', 'SALE', '404-1', '50.00', '10.00', '60.00'),
    line('amazon.de', 'REFUND', '302-1', '-100.00', '-19.00', '-119.00'),
  ];
  const counts = await load('GET_VAT_TRANSACTION_DATA', rows, [DE, FR], june('10:00'));
  expect(counts).toMatchObject({ inserted: 3, quarantined: 0 });
  expect(await load('GET_VAT_TRANSACTION_DATA', rows, [DE, FR], june('10:00'))).toMatchObject({
    inserted: 0,
    updated: 0,
    unchanged: 3,
  });
  const { records } = await owner.call(vat.list, { body: { filter: {}, sort: 'gross', order: 'asc' } });
  expect(
    records.map(({ store, kind, day, gross, vatRate }) => [store.country, kind, day, Number(gross), vatRate]),
  ).toEqual([
    ['DE', 'REFUND', '2026-06-05', -119, expect.stringMatching(/^0\.19/)],
    ['FR', 'SALE', '2026-06-05', 60, expect.stringMatching(/^0\.19/)],
    ['DE', 'SALE', '2026-06-05', 119, expect.stringMatching(/^0\.19/)],
  ]);
});

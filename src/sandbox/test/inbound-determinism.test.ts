import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { startSandbox } from '../index.ts';
import { Inbounder } from './inbound-support.ts';
import { consentedSeller } from './seller-support.ts';
import { DAY, HOUR, START } from './wire-support.ts';

const open: { close(): Promise<void> }[] = [];
const dirs: string[] = [];
afterAll(async () => {
  for (const one of open) await one.close();
  for (const dir of dirs) await rm(dir, { recursive: true, force: true });
});

async function inbounder(options: Parameters<typeof consentedSeller>[0] = {}): Promise<Inbounder> {
  const way = new Inbounder(await consentedSeller(options));
  open.push(way.seller.sandbox);
  return way;
}

/** All that the warehouses, the books and the money say of the home marketplace. */
function books({ world, account, home }: Inbounder, business = world.business, now = world.now()) {
  const { movements, days, reimbursements } = business.fba(account, home, now);
  const truth = business.truth(account, home, { from: START, to: now }, now);
  return { movements, days, reimbursements, truth, audit: business.audit(now) };
}

test('looked at every few hours or after forty days, the same shipments end in the same books', async () => {
  const [slow, fast] = [await inbounder(), await inbounder()];
  const ids = [await slow.sendOff([40, 25], 2), await fast.sendOff([40, 25], 2)];
  expect(ids[0]).toEqual(ids[1]);
  const number = await slow.number(ids[0]?.[0] ?? '');
  for (let hours = 0; hours < 40 * 24; hours += 9) {
    await slow.advance(Math.min(9, 40 * 24 - hours) * HOUR);
    await slow.received(number);
    if (hours % 45 === 0) books(slow);
  }
  await fast.advance(40 * DAY);
  expect(slow.world.now()).toBe(fast.world.now());
  expect(await slow.received(number)).toEqual(await fast.received(number));
  expect(books(slow)).toEqual(books(fast));
  expect(books(fast).audit).toEqual([]);
});

test('a sandbox that starts again finds the same plans, shipments and stock', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'inbound-'));
  dirs.push(dataDir);
  const way = await inbounder({ dataDir });
  const [id = ''] = await way.sendOff([30, 12]);
  const number = await way.number(id);
  const [msku = ''] = Object.keys(await way.received(number));
  await way.advance(2 * DAY);
  await way.control({ action: 'found', shipment: number, lines: [{ msku, missing: 3, damaged: 2 }] });
  await way.control({ action: 'move', shipment: number, status: 'RECEIVING' });
  await way.advance(40 * DAY);
  const before = books(way);
  expect(
    before.reimbursements.filter(({ reason }) => reason === 'Lost_Inbound').map(({ quantity }) => quantity),
  ).toEqual([3]);
  const reborn = await startSandbox({ scenario: 'tiny', seed: 'sdk', startAt: START, dataDir });
  open.push(reborn);
  expect(reborn.world.inbound.allPlans()).toEqual(way.world.inbound.allPlans());
  expect(books(way, reborn.business)).toEqual(before);
});

test('another seed gives other numbers', async () => {
  const [one, other] = [await inbounder(), await inbounder({ seed: 'other' })];
  await one.begin([3]);
  await other.begin([3]);
  expect(one.planId).not.toBe(other.planId);
});

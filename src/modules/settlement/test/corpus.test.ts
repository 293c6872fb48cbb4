import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CORPUS } from '#test/support/corpus.ts';
import { createWorld, type World } from '#test/support/world.ts';
import { listSettlements, settlementDetail, verifySettlement } from '../contract/settlements.ts';
import { settlementLoader } from '../server/loader.ts';
import { CA, makeAccount, source, US, V1 } from './support.ts';

/** A real seller's files. They may be read where they lie and never be copied, so they are not in the repository. */
const present = existsSync(join(CORPUS, 'settlements'));
if (!present) console.error(`real settlements are not tested: ${CORPUS} is not there (set CORPUS_DIR)`);

describe.skipIf(!present)('two real settlements of one Canadian seller', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld();
  });
  afterAll(() => world.close());

  it('load, add up to their totals, and have a fee code for every line', async () => {
    const owner = await world.owner();
    const account = await makeAccount(world, owner, { marketplaceIds: [US, CA] });
    for (const name of ['v1-flat-file-ca-2025-08-14.txt', 'v1-flat-file-ca-2025-07-31.txt']) {
      const text = await readFile(join(CORPUS, 'settlements', name), 'utf8');
      const report = source(account, text, { reportType: V1, marketplaceIds: [CA] });
      expect((await settlementLoader.check(report)).warnings).toEqual([]);
      await world.as(owner, (ctx) => settlementLoader.load(ctx, report));
    }
    const { records } = await owner.call(listSettlements, { body: {} });
    // 35 references in lines of type Order; one of them is a multi-channel shipment, which is no Amazon order.
    expect(records.map((row) => [row.total, row.gap, row.recon, row.orderCount, row.store.country])).toEqual([
      ['1016.0800', '0.0000', 'balanced', 34, 'CA'],
      ['-62.3100', '0.0000', 'balanced', 1, 'CA'],
    ]);
    for (const { id } of records) {
      expect((await owner.call(verifySettlement, { params: { id } })).ok).toBe(true);
      const detail = await owner.call(settlementDetail, { params: { id } });
      expect(detail.figures.units).toBeGreaterThan(0);
    }
  });
});

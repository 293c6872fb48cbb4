import { createHash, randomUUID } from 'node:crypto';
import { extensionsOf } from '#kit/server/extension.ts';
import { type AccountRef, type ReportSource, reportLoaders } from '#modules/marketplace/server/index.ts';
import { CA, makeSellerAccount, US } from './seller.ts';
import { type FileLine, settlementFile, V2 } from './settlement-text.ts';
import type { Person, World } from './world.ts';

export { CA, US } from './seller.ts';
export { type FileLine, settlementFile, V1, V2 } from './settlement-text.ts';

/** A North American seller account of somebody's company, as a consent would have left it. */
export const makeAccount = (world: World, person: Person): Promise<AccountRef> =>
  makeSellerAccount(world, person, { marketplaceIds: [US, CA] });

/** A report as the marketplace module would hand it to a loader. */
function source(account: AccountRef, text: string, marketplaceId: string, reportType: string): ReportSource {
  const bytes = Buffer.from(text);
  return {
    account,
    reportType,
    marketplaceIds: [marketplaceId],
    open: async function* () {
      yield bytes;
    },
    charset: 'UTF-8',
    sha256: createHash('sha256').update(bytes).digest('hex'),
    documentId: randomUUID(),
    fileName: 'settlement.txt',
  };
}

/** Loads the text of a settlement file through the loader that the product registers for its type. */
export async function loadFile(
  world: World,
  person: Person,
  account: AccountRef,
  text: string,
  { type = V2, marketplaceId = US, loaded = async () => {} } = {},
): Promise<void> {
  const loader = extensionsOf(world.runtime.modules, reportLoaders).find((one) => one.reportTypes.includes(type));
  if (!loader) throw new Error('nobody loads settlements');
  await world.as(person, async (ctx) => {
    await loader.load(ctx, source(account, text, marketplaceId, type));
    await loaded();
  });
}

/**
 * Loads a settlement of the given lines through the loader that the product registers for it; `loaded` runs before the
 * transaction ends.
 */
export async function settle(
  world: World,
  person: Person,
  account: AccountRef,
  lines: readonly FileLine[],
  { id = '15000000001', currency = 'USD', marketplaceId = US, loaded = async () => {} } = {},
): Promise<void> {
  await loadFile(world, person, account, settlementFile(id, currency, lines), { marketplaceId, loaded });
}

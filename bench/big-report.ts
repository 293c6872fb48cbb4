import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { constants, createGzip } from 'node:zlib';
import type { Principal } from '#kit/server/context.ts';
import { inTenant } from '#kit/server/runtime.ts';
import type { AccountRef, ApiAnswer, SpApi } from '#modules/marketplace/server/index.ts';
import { download } from '#modules/marketplace/server/reports/download.ts';
import { loadDocument } from '#modules/marketplace/server/reports/load.ts';
import { liveMemory, step } from './support/measure.ts';
import { COLUMNS, TYPE } from './support/order-file.ts';
import type { BenchWorld } from './support/world.ts';

const WARM_UPS = 3;
const TIMEOUT_MS = 4 * 3_600_000;
/** Titles and promotions as long as they really are: a line of a large seller has some 600 bytes. */
const TITLE =
  'Insulated stainless steel water bottle with two lids, vacuum cup for hiking and office, leak proof, '.repeat(2);
const PROMOTIONS = 'US Core Free Shipping 2015/04/08 23-48-10-105,PAWS-V2-00000000000000-0000000000000001,'.repeat(3);

function line(index: number, group: string): string {
  const order = index - (index % 10 === 9 ? 1 : 0);
  const id = `${group}-${String(1_000_000 + (order % 9_000_000))}-${String(1_000_000 + Math.floor(order / 9_000_000))}`;
  const at = `2026-05-${String(2 + (index % 27)).padStart(2, '0')}T${String(index % 24).padStart(2, '0')}:15:00+00:00`;
  const sku = index % 500;
  const price = (10 + (index % 90) + 0.99).toFixed(2);
  return `${id}\t${id}\t${at}\t${at}\tShipped\tAmazon\tAmazon.com\t\tExpedited\t${TITLE}${sku}\tSKU-${sku}\tB0${String(sku).padStart(8, '0')}\tShipped\t1\tUSD\t${price}\t0.80\t\t\t\t\t\t\tSeattle\tWA\t98101\tUS\t${PROMOTIONS}${index}\tfalse\t\t\n`;
}

/** An all-orders report of about so many bytes, made while it is sent; `group` begins its order numbers. */
function* content(bytes: number, group: string): Generator<Buffer> {
  yield Buffer.from(`${COLUMNS.join('\t')}\n`);
  let sent = 0;
  for (let index = 0; sent < bytes; ) {
    let chunk = '';
    for (const end = index + 500; index < end; index += 1) chunk += line(index, group);
    const buffer = Buffer.from(chunk);
    sent += buffer.length;
    yield buffer;
  }
}

/** The storage behind a report document: /<bytes>/<group>, zipped as the marketplace does. */
async function storage(): Promise<{ server: Server; address: string }> {
  const server = createServer((request, response) => {
    const [, bytes = '0', group = ''] = (request.url ?? '').split('/');
    response.setHeader('content-type', 'text/plain; charset=UTF-8');
    Readable.from(content(Number(bytes), group))
      .pipe(createGzip({ level: constants.Z_BEST_SPEED }))
      .pipe(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, address: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/** One for all reports: making another one hashes a password, which keeps memory of its own. */
interface Seller {
  world: BenchWorld;
  principal: Principal;
  account: AccountRef;
}

interface Figures {
  /** Most memory really in use above what was before, garbage taken away, MB. */
  live: number;
  /** Highest resident memory of the process, MB, and what was resident before. */
  peak: number;
  before: number;
  seconds: number;
  rows: number;
}

/** Downloads, unzips, stores, parses and loads one report in the way that the engine does, watching the process. */
async function ingest(seller: Seller, address: string, bytes: number, group: string): Promise<Figures> {
  const { world, principal, account } = seller;
  const answer = { url: `${address}/${bytes}/${group}`, compressionAlgorithm: 'GZIP' };
  const api: SpApi = {
    call: async <T>() => ({ body: answer as T, requestId: undefined }) satisfies ApiAnswer<T>,
  };
  const mb = () => Math.round(process.memoryUsage.rss() / 1e6);
  const before = mb();
  let peak = before;
  const sampler = setInterval(() => {
    peak = Math.max(peak, mb());
  }, 50);
  const begin = performance.now();
  let rows = 0;
  try {
    const live = await liveMemory(async () => {
      const spec = {
        remoteDocumentId: 'bench',
        reportType: TYPE,
        marketplaceIds: account.marketplaceIds,
        reportId: group,
      };
      const { documentId } = await download(world.runtime, api, account, spec);
      const options = { timeoutMs: TIMEOUT_MS };
      const counts = await inTenant(world.runtime, principal, (ctx) => loadDocument(ctx, documentId), options);
      rows = counts.rowsIn;
    });
    return { live, peak, before, seconds: Math.round((performance.now() - begin) / 1000), rows };
  } finally {
    clearInterval(sampler);
  }
}

/**
 * Memory of the process while a report of `bytes` goes its whole way (download, gunzip, store, parse, COPY, merge)
 * against that of one a tenth as large: it should be the same. The database's own memory is bounded by its settings.
 */
export async function bigReport(world: BenchWorld, bytes: number): Promise<void> {
  const principal = await world.company();
  const seller: Seller = { world, principal, account: await world.account(principal) };
  const { server, address } = await storage();
  try {
    // What the first loads make resident (code, pools, the engine's young heap) belongs to neither: it stays resident, and
    // would otherwise be counted for whichever report came later.
    for (let time = 1; time <= WARM_UPS; time += 1) {
      await step(`warm up ${time}`, () => ingest(seller, address, bytes / 40, `11${time}`));
    }
    const small = await step('a tenth', () => ingest(seller, address, bytes / 10, '118'));
    const large = await step('whole', () => ingest(seller, address, bytes, '119'));
    const told = ({ live, peak, before, seconds, rows }: Figures) =>
      `in use +${live} MB, peak RSS ${peak} MB (from ${before}), ${rows} lines in ${seconds} s`;
    console.log(
      `report of ${Math.round(bytes / 1e6)} MB: ${told(large)}; of a tenth of it: ${told(small)}; ` +
        `RSS ratio ${(large.peak / small.peak).toFixed(2)} (aim about 1)`,
    );
  } finally {
    server.close();
  }
}

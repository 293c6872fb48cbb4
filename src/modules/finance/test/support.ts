import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import pg from 'pg';
import { type Config, readConfig } from '#kit/server/config.ts';
import type { Ctx } from '#kit/server/context.ts';
import { inTenant, type Runtime, systemPrincipal } from '#kit/server/runtime.ts';
import { openRuntime } from '#src/app/runtime.ts';
import { createDatabase } from '#test/support/database.ts';
import { worldClock } from '#test/support/world.ts';
import { post, setOverdraft } from '../server/ledger/post.ts';
import type { Line, NewItem, Posted, Source } from '../server/ledger/types.ts';

/** The product's database and no HTTP: what the ledger needs. */
export interface World {
  runtime: Runtime;
  admin: pg.Pool;
  close(): Promise<void>;
}

export async function createLedgerWorld(settings: Partial<Config> = {}): Promise<World> {
  const clock = worldClock();
  const database = await createDatabase('erp', clock);
  const dataDir = await mkdtemp(join(tmpdir(), 'erp-money-'));
  const config = { ...readConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'silent', SANDBOX: 'off', PORT: '0' }), ...settings };
  const runtime = await openRuntime(config, database.url, clock);
  const admin = new pg.Pool({ connectionString: database.url, max: 2 });
  // The database is dropped under connections that are still saying goodbye.
  admin.on('connect', (client) => client.on('error', () => {}));
  admin.on('error', () => {});
  return {
    runtime,
    admin,
    async close() {
      await admin.end();
      await runtime.connections.close();
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Runs server code for a company, in one transaction. */
export function within<T>(world: World, companyId: string, work: (ctx: Ctx) => Promise<T>): Promise<T> {
  return inTenant(world.runtime, systemPrincipal(companyId, '测试'), work);
}

/** An account with money in it. */
export function openAccount(
  world: World,
  companyId: string,
  name: string,
  { currency = 'CNY', amount = '0', overdraft = '0' } = {},
): Promise<string> {
  return within(world, companyId, async (ctx) => {
    const { id } = await ctx.db
      .insertInto('finance.cash_account')
      .values({ company_id: companyId, name, method: 'BANK', currency })
      .returning('id')
      .executeTakeFirstOrThrow();
    await setOverdraft(ctx, id, overdraft);
    if (amount !== '0') {
      await post(ctx, {
        source: source('open', id),
        title: '期初',
        lines: [
          { book: 'ACCOUNT', item: id, currency, amount, purpose: 'OPENING' },
          { book: 'OPENING', currency, amount: `-${amount}`, purpose: 'OPENING' },
        ],
      });
    }
    return id;
  });
}

/** A source that nobody used before. */
export function source(event = 'do', id: string = randomUUID()): Source {
  return { type: 'test', id, event, number: `T${id.slice(0, 8)}` };
}

/** Money that leaves an account for an expense. */
export function spend(account: string, amount: string, currency = 'CNY'): Line[] {
  return [
    { book: 'ACCOUNT', item: account, currency, amount: `-${amount}`, purpose: 'MANUAL' },
    { book: 'EXPENSE', currency, amount, purpose: 'MANUAL' },
  ];
}

/** Money that comes in. */
export function earn(account: string, amount: string, currency = 'CNY'): Line[] {
  return [
    { book: 'ACCOUNT', item: account, currency, amount, purpose: 'MANUAL' },
    { book: 'INCOME', currency, amount: `-${amount}`, purpose: 'MANUAL' },
  ];
}

/** Posts lines in a transaction of their own. */
export function put(
  world: World,
  companyId: string,
  lines: readonly Line[],
  from: Source = source(),
  more: { items?: readonly NewItem[]; day?: string } = {},
): Promise<Posted> {
  return within(world, companyId, (ctx) => post(ctx, { source: from, title: '测试', lines, ...more }));
}

/** Goods received on credit: a payable of a supplier. Answers its id. */
export async function owe(world: World, companyId: string, amount: string, supplier: string = randomUUID()) {
  const id = randomUUID();
  await put(
    world,
    companyId,
    [
      { book: 'PAYABLE', item: id, currency: 'CNY', amount: `-${amount}`, purpose: 'RAISE' },
      { book: 'GOODS', currency: 'CNY', amount, purpose: 'RAISE' },
    ],
    source(),
    {
      items: [
        {
          id,
          book: 'PAYABLE',
          kind: 'GOODS',
          party: { kind: 'SUPPLIER', id: supplier },
          title: '货款',
          currency: 'CNY',
          amount,
        },
      ],
    },
  );
  return id;
}

/** What an account or open item holds now. */
export async function balanceOf(world: World, companyId: string, item: string): Promise<string> {
  return within(world, companyId, async (ctx) => {
    const { rows } = await sql<{ amount: string }>`
      SELECT trim_scale(amount)::text AS amount FROM finance.balance
       WHERE company_id = ${companyId} AND item_id = ${item}`.execute(ctx.db);
    return rows[0]?.amount ?? 'none';
  });
}

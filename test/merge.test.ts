import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemPrincipal } from '#kit/server/runtime.ts';
import { mergeCompanies } from '#modules/identity/server/merge/task.ts';
import { fillTables, quoted, type Table, tablesOf } from './catalogue.ts';
import { createWorld, type Person, type World } from './support/world.ts';
import { adminOf } from './walk.ts';

/** Tables whose rows remain with the company that is closed, and why. */
const STAY: Record<string, string> = {
  'kit.audit': 'sealed where it was written',
  'kit.company_zone': 'the target counts days in a zone of its own',
  'kit.idempotency': 'answers of calls that belong to sessions which are over',
  'kit.outbox': 'no company reads it',
  'kit.task': 'what was started there',
  'system.task_line': 'lines of those tasks',
  'system.audit_seal': 'seals bind the log of their company',
  'system.audit_check': 'results of checking those seals',
  'identity.company': 'the closed company itself',
  'identity.member': 'husks with names for the log; the people themselves move',
  'identity.session': 'over',
  'identity.sso_session': 'over',
  'identity.login_log': 'attempts, as they were',
  'identity.oauth_grant': 'bound to sessions which are over',
  'accounting.book': 'the books of a legal entity end with it',
  'accounting.subject': 'of those books',
  'accounting.period': 'of those books',
  'accounting.voucher': 'of those books',
  'accounting.entry': 'of those books',
  'accounting.balance': 'of those books',
  'accounting.rule': 'of those books',
  'accounting.voucher_fact': 'of those books',
};

/** Tables whose rows nobody needs in the target, and why. */
const DROP: Record<string, string> = {
  'identity.closure': 'a wish to be forgotten that the move overtakes',
  'identity.mfa_challenge': 'half a log-in',
  'identity.oauth_record': 'tokens of sessions which are over',
  'identity.security_policy': 'the target has rules of its own',
  'message.counter': 'counted anew',
  'purchase.order_sum': 'counted anew',
  'system.schedule': 'the target has its own for the same work',
  'system.schedule_run': 'runs of those',
  'marketplace.oauth_state': 'half a consent',
  'marketplace.taken_file': 'files are read once more',
};

/** Tables in which the target gets a row of its own by the move: its owner is told, and months whose days came are added up. */
const TOLD = ['message.message', 'message.inbox', 'report.traffic_dirty'];

let world: World;
let admin: pg.Pool;
let tables: Table[];
let from: Person;
let to: Person;

beforeAll(async () => {
  world = await createWorld();
  admin = adminOf(world);
  tables = (await tablesOf(admin)).filter(
    (table) => !table.isPartition && table.columns.some(({ name }) => name === 'company_id'),
  );
  from = await world.owner('迁出公司');
  to = await world.owner('目标公司');
  await fillTables(admin, from.companyId, '样例');
  // Made-up rows have no bytes.
  await admin.query(`UPDATE kit.file SET sha256 = repeat('0', 64) WHERE company_id = $1`, [from.companyId]);
  await admin.query(`DELETE FROM kit.task WHERE company_id = $1 AND state IN ('queued', 'running')`, [from.companyId]);
});
afterAll(async () => {
  await admin.end();
  await world.close();
});

async function countsOf(companyId: string): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const { name } of tables) {
    const { rows } = await admin.query(`SELECT count(*)::int AS n FROM ${quoted(name)} WHERE company_id = $1`, [
      companyId,
    ]);
    counts.set(name, rows[0].n);
  }
  return counts;
}

test('a row of every table moves, unless it is said why it does not', async () => {
  const [had, there] = [await countsOf(from.companyId), await countsOf(to.companyId)];
  await mergeCompanies(world.runtime, systemPrincipal(from.companyId), to.companyId);
  const [left, now] = [await countsOf(from.companyId), await countsOf(to.companyId)];
  const wrong: string[] = [];
  let moved = 0;
  for (const { name } of tables) {
    const [before, after] = [had.get(name) ?? 0, left.get(name) ?? 0];
    const gained = (now.get(name) ?? 0) - (there.get(name) ?? 0);
    if (name in STAY) {
      if (after < before) wrong.push(`${name}: lost ${before - after} rows that stay`);
      continue;
    }
    if (after !== 0) wrong.push(`${name}: ${after} rows were left behind`);
    const due = before + (TOLD.includes(name) ? 1 : 0);
    if (!(name in DROP) && gained !== due) wrong.push(`${name}: ${gained} of ${before} rows arrived`);
    if (gained > 0) moved += 1;
  }
  expect(wrong).toEqual([]);
  expect(moved).toBeGreaterThan(60);
});

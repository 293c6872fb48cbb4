import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { extensionsOf } from '#kit/server/extension.ts';
import { getRemind } from '#modules/message/contract/messages.ts';
import {
  applyProposals,
  countScores,
  exportScores,
  gradeHistory,
  keepGrades,
  listScores,
  lockGrade,
  readGrading,
  saveGrading,
  scoreQuarters,
} from '#modules/supplier/contract/grading.ts';
import { GRADE, gradeSupplier, supplierDetail, supplierScorecard, VIEW } from '#modules/supplier/contract.ts';
import { schedules } from '#modules/system/server/index.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { receiveGoods } from '../contract/receipt.ts';
import { type Buyers, createBuyers, createSupplier, detailOf, placedOrder } from './support.ts';

const SKUS = ['A', 'B', 'C', 'D', 'E'];
const DAY_MS = 86_400_000;
const RULES = { automatic: false, atA: 90, atB: 75, atC: 60, graceDays: 5 };

let world: World;
/** Worlds begin on 2026-11-18: the third quarter is over, the fourth is running. */
let buyers: Buyers;

beforeAll(async () => {
  world = await createWorld();
  buyers = await createBuyers(world, SKUS);
});
afterAll(() => world.close());

/** What the schedule does at night for a company, and says of it. */
const night = (of: Buyers = buyers) =>
  extensionsOf(world.runtime.modules, schedules)
    .find((handler) => handler.key === 'supplier.grading')
    ?.run(world.runtime, { companyId: of.owner.companyId, fireTime: world.clock.now().toISOString() });

/** Somebody who gives grades, logged in today. */
const grader = (of: Buyers = buyers) => world.member(of.owner, [VIEW, GRADE]);

/** Five lines of a supplier, promised for a day: all come on that day, or none of them. */
async function bought(of: Buyers, supplierId: string, promised: string, comes: boolean, skus = SKUS): Promise<string> {
  const lines = skus.map((sku) => ({ sku, qty: 10, unitPrice: '10' }));
  const { id } = await placedOrder(of, lines, { supplierId });
  if (comes) await arrived(of, id);
  await world.as(of.owner, async (ctx) => {
    await sql`UPDATE purchase.purchase_order SET placed_at = ${`${promised} 12:00:00+08`}::timestamptz - interval '10 days'
      WHERE company_id = ${ctx.companyId} AND id = ${id}`.execute(ctx.db);
    await sql`UPDATE purchase.order_line SET promised_on = ${promised}::date
      WHERE company_id = ${ctx.companyId} AND order_id = ${id}`.execute(ctx.db);
    await sql`UPDATE purchase.receipt SET received_on = ${promised}::date
      WHERE company_id = ${ctx.companyId} AND order_id = ${id}`.execute(ctx.db);
  });
  return id;
}

async function arrived(of: Buyers, id: string): Promise<void> {
  const { lines } = await detailOf(of, id);
  const all = lines.map((line) => ({ lineId: line.id, qty: line.qty, inspect: false }));
  await of.keeper.call(receiveGoods, { body: { id, lines: all } });
}

/** Everything that grading has written for a company. */
const written = (of: Buyers) =>
  world.as(of.owner, async (ctx) => {
    const rows = async (table: string) =>
      (await sql`SELECT * FROM ${sql.table(table)} WHERE company_id = ${ctx.companyId} ORDER BY 2, 3`.execute(ctx.db))
        .rows;
    const { rows: messages } = await sql`
      SELECT title FROM message.message WHERE company_id = ${ctx.companyId} AND event = 'supplier.graded' ORDER BY title`.execute(
      ctx.db,
    );
    return {
      scores: await rows('supplier.quarter_score'),
      changes: await rows('supplier.grade_change'),
      rules: await rows('supplier.grading'),
      messages: messages.map((row) => (row as { title: string }).title),
    };
  });

const rowsOf = async (person: Person, filter: object = {}) =>
  (await person.call(listScores, { body: { filter } })).records;

const gradeOf = async (person: Person, id: string) => (await person.call(supplierDetail, { body: { id } })).grade;

describe('a closed quarter', () => {
  let good: string;
  let late: string;
  let locked: string;
  let few: string;
  let lateOrder: string;

  it('proposes other grades to those who give them, and to nobody with a locked grade or fewer than five lines', async () => {
    good = await createSupplier(buyers.owner, '准时');
    late = await createSupplier(buyers.owner, '迟到');
    locked = await createSupplier(buyers.owner, '锁定的');
    few = await createSupplier(buyers.owner, '太少');
    await bought(buyers, good, '2026-09-15', true);
    lateOrder = await bought(buyers, late, '2026-09-20', false);
    await bought(buyers, locked, '2026-09-20', false);
    await bought(buyers, few, '2026-09-20', false, ['A']);
    await bought(buyers, good, '2026-11-10', true);
    await buyers.owner.call(lockGrade, { body: { id: locked, locked: true, reason: '战略供应商' } });

    expect(await night()).toContain('2026Q3定稿4家（建议2，调整0）');

    const rows = await rowsOf(buyers.owner, { quarter: '2026Q3' });
    // Nothing in time, nothing inspected, and no dearer than before: 20 of the 55 percent that are known.
    const shown = rows.map((row) =>
      [row.supplier, row.state, row.currentGrade, row.grade, row.total, row.lines].join(),
    );
    expect(shown[0]).toBe('准时,proposed,B,A,100.00,5');
    expect(shown.slice(1, 3).sort()).toEqual(['迟到,proposed,B,D,36.36,5', '锁定的,none,B,D,36.36,5']);
    expect(shown[3]).toBe('太少,none,B,,,1');
    expect(await rowsOf(buyers.owner, { quarter: '2026Q4' })).toMatchObject([
      { supplier: '准时', state: 'running', gradeBefore: null, leadDays: '10.0' },
    ]);
    const counts = await buyers.owner.call(countScores, { body: { filter: { quarter: '2026Q3' } } });
    expect(counts).toEqual({ proposed: 2, applied: 0, kept: 0, none: 2, running: 0, all: 4 });
    expect(await buyers.owner.call(scoreQuarters, {})).toEqual({
      running: '2026Q4',
      waiting: '2026Q3',
      quarters: ['2026Q4', '2026Q3'],
    });

    const { records } = await buyers.owner.call(getRemind, { body: {} });
    const told = records.filter((row) => row.title.includes('供应商评分'));
    expect(told.map((row) => [row.title, row.link?.path])).toEqual([
      ['2026Q3 供应商评分已定稿：4 家', '/erp/purchase/scorecard'],
    ]);
    expect(told[0]?.text).toContain('建议调整 2 家的等级');
  });

  it('is found by name and grade, and goes into a file', async () => {
    expect((await rowsOf(buyers.owner, { search: '准', quarter: '2026Q3' })).map((row) => row.supplier)).toEqual([
      '准时',
    ]);
    const bad = await buyers.owner.call(listScores, { body: { filter: { grade: ['D'] }, sort: 'supplier' } });
    expect(new Set(bad.records.map((row) => row.supplier))).toEqual(new Set(['迟到', '锁定的']));
    const file = await buyers.owner.send(exportScores, { body: { format: 'csv', filter: { quarter: '2026Q3' } } });
    expect(file.raw.toString('utf8')).toContain('准时');
  });

  it('is not touched by a second run in the same night, nor by the run of another company', async () => {
    const before = await written(buyers);
    await night();
    expect(await written(buyers)).toEqual(before);
    const others = await createBuyers(world, ['A']);
    await night(others);
    expect(await written(buyers)).toEqual(before);
    expect(await rowsOf(others.owner)).toEqual([]);
    const foreign = await others.owner.send(applyProposals, {
      body: { ids: [{ supplierId: good, quarter: '2026Q3' }] },
    });
    expect(foreign.status).toBe(404);
    expect((await others.owner.send(gradeHistory, { body: { id: good } })).status).toBe(404);
  });

  it('lets only those who give grades decide', async () => {
    const viewer = await world.member(buyers.owner, [VIEW]);
    const ids = [{ supplierId: good, quarter: '2026Q3' }];
    const refused = [
      await viewer.send(applyProposals, { body: { ids } }),
      await viewer.send(keepGrades, { body: { ids, reason: '不变' } }),
      await viewer.send(lockGrade, { body: { id: good, locked: true, reason: '不变' } }),
      await viewer.send(saveGrading, { body: RULES }),
    ];
    expect(refused.map((answer) => answer.status)).toEqual([403, 403, 403, 403]);
    expect((await viewer.call(readGrading, {})).automatic).toBe(false);
    const buyer = await world.member(buyers.owner, []);
    expect((await buyer.send(listScores, { body: {} })).status).toBe(403);
  });

  it('keeps its figures when goods come later', async () => {
    const [before] = await rowsOf(buyers.owner, { quarter: '2026Q3', search: '迟到' });
    await arrived(buyers, lateOrder);
    const live = await buyers.owner.call(supplierScorecard, { body: { id: late, quarter: '2026Q3' } });
    expect(live.quality.points).toBe('100.00');
    await night();
    const [after] = await rowsOf(buyers.owner, { quarter: '2026Q3', search: '迟到' });
    expect([after?.quality, after]).toEqual([null, before]);
  });

  it('gives the proposed grades where they are applied, and says of the others why not', async () => {
    await buyers.owner.call(lockGrade, { body: { id: late, locked: true, reason: '再观察一季' } });
    const ids = [good, late, locked].map((supplierId) => ({ supplierId, quarter: '2026Q3' }));
    const running = { supplierId: good, quarter: '2026Q4' };
    const { applied, skipped } = await buyers.owner.call(applyProposals, { body: { ids: [...ids, running] } });
    expect(applied).toBe(1);
    expect(new Set(skipped.map((one) => `${one.supplier} ${one.quarter}：${one.why}`))).toEqual(
      new Set([
        '迟到 2026Q3：等级已锁定',
        '锁定的 2026Q3：状态为「无变化」，没有待处理的建议',
        '准时 2026Q4：状态为「进行中」，没有待处理的建议',
      ]),
    );
    expect([await gradeOf(buyers.owner, good), await gradeOf(buyers.owner, late)]).toEqual(['A', 'B']);
    const history = await buyers.owner.call(gradeHistory, { body: { id: good } });
    expect(history.changes).toMatchObject([
      { from: 'B', to: 'A', source: 'proposal', quarter: '2026Q3', total: '100.00', by: '管理员' },
    ]);
    expect(history.changes[0]?.reason).toBe('2026Q3 总分 100.00');
    expect(history.quarters.map((one) => [one.quarter, one.state])).toEqual([
      ['2026Q4', 'running'],
      ['2026Q3', 'applied'],
    ]);
    const again = await buyers.owner.call(applyProposals, { body: { ids: ids.slice(0, 1) } });
    expect([again.applied, again.skipped[0]?.why]).toEqual([0, '状态为「已调整」，没有待处理的建议']);
  });

  it('leaves a grade as it is where somebody says so, and why', async () => {
    const ids = [{ supplierId: late, quarter: '2026Q3' }];
    expect((await buyers.owner.send(keepGrades, { body: { ids, reason: ' ' } })).status).toBe(400);
    expect(await buyers.owner.call(keepGrades, { body: { ids, reason: '台风停产' } })).toEqual({
      kept: 1,
      skipped: [],
    });
    const [row] = await rowsOf(buyers.owner, { state: 'kept' });
    expect(row).toMatchObject({ supplier: '迟到', reason: '台风停产', decidedBy: '管理员', currentGrade: 'B' });
    const history = await buyers.owner.call(gradeHistory, { body: { id: late } });
    expect(history).toMatchObject({ locked: true, lockReason: '再观察一季', changes: [] });
  });

  it('has its grades written by hand too, which nobody can rewrite', async () => {
    const give = { id: locked, grade: 'C' as const, serviceScore: '80', reason: '现场审核' };
    await buyers.owner.call(gradeSupplier, { body: give });
    await buyers.owner.call(gradeSupplier, { body: { ...give, serviceScore: '85' } });
    const { changes } = await buyers.owner.call(gradeHistory, { body: { id: locked } });
    expect(changes).toMatchObject([{ from: 'B', to: 'C', source: 'manual', quarter: null, reason: '现场审核' }]);
    const rewrite = world.as(buyers.owner, (ctx) => sql`UPDATE supplier.grade_change SET reason = ''`.execute(ctx.db));
    await expect(rewrite).rejects.toThrow('permission denied');
  });
});

describe('the rules of grading', () => {
  it('descend from A to C, and hold for the live scorecard too', async () => {
    const { owner } = buyers;
    const flat = await owner.send(saveGrading, { body: { ...RULES, atB: 90 } });
    expect([flat.status, flat.msg]).toEqual([400, 'B级最低分须小于A级最低分']);
    const rising = await owner.send(saveGrading, { body: { ...RULES, atC: 80 } });
    expect([rising.status, rising.msg]).toEqual([400, 'C级最低分须小于B级最低分']);
    expect((await owner.send(saveGrading, { body: { ...RULES, graceDays: 32 } })).status).toBe(400);

    const partly = await createSupplier(owner, '五分之四');
    await bought(buyers, partly, '2026-11-10', true, SKUS.slice(0, 4));
    await bought(buyers, partly, '2026-11-12', false, ['E']);
    // Delivery 80, quality and price 100; there is no service: 83 of 90 percent.
    const card = () => owner.call(supplierScorecard, { body: { id: partly } });
    expect(await card()).toMatchObject({ total: '92.22', grade: 'A' });
    expect(await owner.call(saveGrading, { body: { ...RULES, atA: 95 } })).toMatchObject({
      atA: 95,
      firstQuarter: null,
    });
    expect((await card()).grade).toBe('B');
    await night();
    expect(await rowsOf(owner, { quarter: '2026Q4', search: '五分之四' })).toMatchObject([
      { state: 'running', total: '92.22', grade: 'B' },
    ]);
  });

  it('a running score goes when its lines go, and is open to nobody', async () => {
    const short = await createSupplier(buyers.owner, '短暂');
    const order = await bought(buyers, short, '2026-11-10', false);
    await night();
    expect(await rowsOf(buyers.owner, { search: '短暂' })).toHaveLength(1);
    await world.as(buyers.owner, (ctx) =>
      sql`UPDATE purchase.order_line SET promised_on = '2026-12-20' WHERE company_id = ${ctx.companyId} AND order_id = ${order}`.execute(
        ctx.db,
      ),
    );
    await night();
    expect(await rowsOf(buyers.owner, { search: '短暂' })).toEqual([]);
  });
});

describe('after a time in which nothing ran', () => {
  it('the last four quarters are closed in order, and only the newest proposes', async () => {
    const late = await createBuyers(world, SKUS);
    for (const day of ['2025-09-10', '2025-12-10', '2026-03-10', '2026-08-10']) {
      await bought(late, late.supplier, day, false);
    }
    expect(await night(late)).toContain('2026Q3定稿1家（建议1，调整0）');
    const rows = await rowsOf(late.owner);
    expect(rows.map((row) => [row.quarter, row.state])).toEqual([
      ['2026Q3', 'proposed'],
      ['2026Q1', 'none'],
      ['2025Q4', 'none'],
    ]);
    // Of the older ones nobody is told.
    expect((await written(late)).messages).toHaveLength(1);
    // By hand, as proposed: nothing is left to decide.
    const give = { id: late.supplier, grade: 'D' as const, serviceScore: null, reason: '同意' };
    await late.owner.call(gradeSupplier, { body: give });
    expect((await rowsOf(late.owner, { quarter: '2026Q3' }))[0]).toMatchObject({ state: 'applied', reason: '同意' });
  });
});

describe('with automatic grades', () => {
  it('older quarters are only proposed; a new one is applied once, after its grace and not before', async () => {
    const auto = await createBuyers(world, SKUS);
    const late = await createSupplier(auto.owner, '迟到');
    const locked = await createSupplier(auto.owner, '锁定的');
    const rules = await auto.owner.call(saveGrading, { body: { ...RULES, automatic: true } });
    expect(rules.firstQuarter).toBe('2026Q4');
    await auto.owner.call(lockGrade, { body: { id: locked, locked: true, reason: '战略供应商' } });
    await bought(auto, auto.supplier, '2026-09-15', true);
    await night(auto);
    expect(await rowsOf(auto.owner)).toMatchObject([{ quarter: '2026Q3', state: 'proposed', currentGrade: 'B' }]);
    for (const id of [late, locked]) await bought(auto, id, '2026-11-10', false);

    // 5 January in Beijing, the last day of grace: the quarter is still computed anew.
    await world.advance(48 * DAY_MS);
    expect(world.clock.today()).toBe('2027-01-05');
    expect(await night(auto)).toBe('本季度评分0家');
    let someone = await grader(auto);
    expect((await rowsOf(someone, { quarter: '2026Q4' })).map((row) => row.state)).toEqual(['running', 'running']);
    expect(await gradeOf(someone, late)).toBe('B');

    await world.advance(DAY_MS);
    // Two runs at once come one after the other.
    expect((await Promise.all([night(auto), night(auto)])).sort()).toEqual([
      '2026Q4定稿2家（建议0，调整1）；本季度评分0家',
      '本季度评分0家',
    ]);
    someone = await grader(auto);
    expect([
      await gradeOf(someone, late),
      await gradeOf(someone, locked),
      await gradeOf(someone, auto.supplier),
    ]).toEqual(['D', 'B', 'B']);
    const { changes } = await someone.call(gradeHistory, { body: { id: late } });
    expect(changes).toMatchObject([{ from: 'B', to: 'D', source: 'automatic', quarter: '2026Q4', by: '系统' }]);
    // What the older quarter proposed is out of date.
    const [old] = await rowsOf(someone, { quarter: '2026Q3' });
    expect(old).toMatchObject({ state: 'none', reason: '2026Q4 已定稿，建议过期' });
    const once = await written(auto);
    expect(once.messages).toEqual(['2026Q3 供应商评分已定稿：1 家', '2026Q4 供应商评分已定稿：2 家']);
    await night(auto);
    expect(await written(auto)).toEqual(once);
    // Switched off and on again it begins anew with the quarter that is running then.
    await someone.call(saveGrading, { body: RULES });
    const again = await someone.call(saveGrading, { body: { ...RULES, automatic: true } });
    expect(again.firstQuarter).toBe('2027Q1');
  });
});

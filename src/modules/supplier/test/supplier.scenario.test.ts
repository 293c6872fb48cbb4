import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWorld, type Person, type World, worldClock } from '#test/support/world.ts';
import {
  askBank,
  countSuppliers,
  decideBank,
  exportSuppliers,
  gradeSupplier,
  listSuppliers,
  moveSupplier,
  saveSupplier,
  selectSuppliers,
  supplierDetail,
  supplierScorecard,
} from '../contract.ts';
import { payTo, requireOrderable } from '../server/index.ts';

let world: World;
let owner: Person;

beforeAll(async () => {
  world = await createWorld();
  owner = await world.owner();
});
afterAll(() => world.close());

describe('a supplier', () => {
  it('gets a number, has a code and a short name of its own, terms that add up, and contacts', async () => {
    const terms = [
      { share: '0.3', anchor: 'order' as const, days: 0 },
      { share: '0.7', anchor: 'monthly' as const, days: 30 },
    ];
    const contacts = [{ name: '王敏', phone: '13800000000' }];
    const made = await owner.call(saveSupplier, {
      body: { shortName: '华瑞', invoiceType: 'special', invoiceRate: '0.13', terms, contacts },
    });
    expect(made).toMatchObject({ code: 'S00001', state: 'pending', grade: 'B' });
    expect((await owner.send(saveSupplier, { body: { shortName: ' 华瑞 ' } })).msg).toBe('供应商简称「华瑞」已存在');
    expect((await owner.send(saveSupplier, { body: { shortName: '另一家', code: 's00001' } })).msg).toBe(
      '供应商编码「s00001」已存在',
    );
    const half = await owner.send(saveSupplier, {
      body: { shortName: '半', terms: [{ share: '0.5', anchor: 'order', days: 0 }] },
    });
    expect(half.msg).toBe('结算条款各阶段比例合计须为100%，现为50%');
    const [row] = (await owner.call(listSuppliers, { body: {} })).records;
    expect(row).toMatchObject({ contact: '王敏', terms: '下单后 30%，月结30天 70%', invoice: '专票 13%' });
    const changed = await owner.call(saveSupplier, {
      body: { id: made.id, version: made.version, shortName: '华瑞五金' },
    });
    expect(changed).toMatchObject({ shortName: '华瑞五金', contacts: [{ name: '王敏' }] });
    const stale = await owner.send(saveSupplier, { body: { id: made.id, version: made.version, shortName: '华瑞' } });
    expect([stale.status, stale.msg]).toEqual([409, '单据已被管理员修改，请刷新']);
    const file = await owner.send(exportSuppliers, { body: { format: 'csv' } });
    expect(file.raw.toString('utf8')).toContain('华瑞五金');
  });

  it('is put into use, out of use and on the black list, and only then may be ordered from', async () => {
    const { id } = await owner.call(saveSupplier, { body: { shortName: '金诺' } });
    const orderable = () => world.as(owner, (ctx) => requireOrderable(ctx, [id]));
    await expect(orderable()).rejects.toThrow('供应商已停用或评级过低，不能下单');
    await owner.call(moveSupplier, { body: { id, action: 'activate' } });
    await orderable();
    await owner.call(gradeSupplier, { body: { id, grade: 'D', serviceScore: '40', reason: '连续延误' } });
    await expect(orderable()).rejects.toThrow('评级过低');
    expect((await owner.send(moveSupplier, { body: { id, action: 'blacklist' } })).msg).toBe('请填写原因');
    const buyer = await world.member(owner, ['erp:supplier:view', 'erp:supplier:edit']);
    expect((await buyer.send(moveSupplier, { body: { id, action: 'blacklist', reason: '以次充好' } })).status).toBe(
      403,
    );
    await owner.call(moveSupplier, { body: { id, action: 'blacklist', reason: '以次充好' } });
    expect((await owner.send(moveSupplier, { body: { id, action: 'activate' } })).status).toBe(409);
    expect((await owner.call(selectSuppliers, {})).map((one) => one.name)).toEqual(['华瑞五金']);
    expect(await owner.call(countSuppliers, { body: {} })).toEqual({
      pending: 1,
      active: 0,
      suspended: 0,
      blacklisted: 1,
      all: 2,
    });
  });

  it('other bank details need a second person and a day of rest, and are never stored or shown in the clear', async () => {
    const { id } = await owner.call(saveSupplier, { body: { shortName: '银诚' } });
    const bank = { id, bankName: '招商银行深圳分行', accountName: '银诚公司', account: '6225 8888 1234 5678' };
    // Eight digits of it: four alone are found in a random id now and then.
    const CLEAR = /6225 ?8888|8888 ?1234|1234 ?5678/;
    const { changeId } = await owner.call(askBank, { body: bank });
    expect((await owner.send(decideBank, { body: { changeId, agree: true } })).msg).toBe('不能审批自己提交的单据');
    expect((await owner.send(askBank, { body: bank })).msg).toBe('该供应商有未完成的收款账户变更');
    const second = await world.member(owner, ['erp:supplier:view', 'erp:supplier:field:bank']);
    const { effectiveAt } = await second.call(decideBank, { body: { changeId, agree: true } });
    expect(Date.parse(effectiveAt ?? '') - worldClock().ms()).toBeGreaterThan(23 * 3_600_000);
    const resting = await second.call(supplierDetail, { body: { id } });
    expect([resting.bank, resting.bankChange?.state]).toEqual([null, 'approved']);
    await world.as(owner, (ctx) =>
      sql`UPDATE supplier.bank_change SET effective_at = kit.now() - interval '1 minute' WHERE company_id = ${owner.companyId}`.execute(
        ctx.db,
      ),
    );
    const seen = await second.call(supplierDetail, { body: { id } });
    expect(seen.bank).toEqual({ bankName: '招商银行深圳分行', accountName: '银诚公司', account: '****5678' });
    const viewer = await world.member(owner, ['erp:supplier:view']);
    const without = await viewer.send(supplierDetail, { body: { id } });
    expect(without.data).not.toHaveProperty('bank');
    expect(without.raw.toString('utf8')).not.toMatch(CLEAR);
    expect(without.raw.toString('utf8')).not.toContain('*5678');
    expect((await world.as(owner, (ctx) => payTo(ctx, id)))?.account).toBe('6225 8888 1234 5678');
    const stored = await world.as(owner, (ctx) =>
      sql<{
        text: string;
      }>`SELECT string_agg(c::text, ' ') || (SELECT string_agg(a::text, ' ') FROM kit.audit a) AS text
        FROM supplier.bank_change c WHERE company_id = ${owner.companyId}`.execute(ctx.db),
    );
    expect(stored.rows[0]?.text).not.toMatch(CLEAR);
  });

  it('has a scorecard, empty while nothing was bought', async () => {
    const { id } = await owner.call(saveSupplier, { body: { shortName: '新来' } });
    const card = await owner.call(supplierScorecard, { body: { id, quarter: '2026Q1' } });
    expect(card).toMatchObject({ from: '2026-01-01', to: '2026-03-31', lines: 0, total: null, grade: null });
    const outsider = await world.owner('别的公司');
    expect((await outsider.call(listSuppliers, { body: {} })).total).toBe(0);
    expect((await outsider.send(supplierDetail, { body: { id } })).status).toBe(404);
    expect((await outsider.send(moveSupplier, { body: { id, action: 'activate' } })).status).toBe(404);
  });
});

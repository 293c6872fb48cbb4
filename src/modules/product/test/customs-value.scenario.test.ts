import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { saveCategory } from '../contract/catalogue.ts';
import {
  approveLow,
  deleteDeclaredRate,
  exportDeclared,
  listDeclared,
  listDeclaredRates,
  lockDeclared,
  saveDeclaredRate,
  unlockDeclared,
} from '../contract/customs-value.ts';
import { saveMatches } from '../contract/match.ts';
import { saveCost } from '../contract.ts';
import { costAbroad, declaredValue, stateOf } from '../server/customs-value/rule.ts';
import { account, offers, SITES } from './match/support.ts';
import { product } from './support.ts';

describe('handbook 5.15', () => {
  const facts = { price: '19.99', rate: '0.3', locked: null, cost: '50', dayRate: '9', approved: false };

  it('declares price times share, rounded to two decimals', () => {
    expect(declaredValue(facts)).toBe('6.00');
    expect(declaredValue({ ...facts, price: '10.05', rate: '0.1' })).toBe('1.01');
    expect(declaredValue({ ...facts, locked: '4.2' })).toBe('4.20');
    expect(declaredValue({ ...facts, rate: null })).toBeNull();
  });

  it('calls a value low that is below the cost at the rate of the day, to the cent and not by rounding', () => {
    expect(costAbroad('50', '9')).toBe('5.56');
    expect(stateOf(facts)).toBe('fine');
    expect(stateOf({ ...facts, cost: '54' })).toBe('fine');
    expect(stateOf({ ...facts, cost: '54.0001' })).toBe('low');
    expect(stateOf({ ...facts, cost: '60', approved: true })).toBe('approved');
    expect(stateOf({ ...facts, cost: null })).toBe('noCost');
    expect(stateOf({ ...facts, price: null })).toBe('open');
  });
});

let world: World;
let owner: Person;
let shop: string;

const ref = (msku: string) => ({ accountId: shop, marketplaceId: SITES.UK, msku });
const row = async (msku: string, person = owner) =>
  (await person.call(listDeclared, { body: { filter: { mskus: [msku] } } })).records[0];

beforeAll(async () => {
  world = await createWorld();
  owner = await world.owner();
  shop = await account(world, owner, '英国店');
  await offers(world, owner, shop, [
    { site: 'UK', msku: 'CUP' },
    { site: 'UK', msku: 'LAMP-UK' },
    { site: 'UK', msku: 'NOTHING' },
  ]);
  const kitchen = await owner.call(saveCategory, { body: { name: '厨房', parentId: null, color: 'info', sort: 0 } });
  await product(owner, 'CUP', { categoryId: kitchen });
  const lamp = await product(owner, 'LAMP');
  await owner.call(saveMatches, { body: { listings: [ref('LAMP-UK')], parts: [{ productId: lamp, qty: 2 }] } });
  await owner.call(saveCost, { body: { sku: 'CUP', unitCost: '50' } });
  await owner.call(saveCost, { body: { sku: 'LAMP', unitCost: '30' } });
  await world.as(owner, async ({ db, clock, companyId }) => {
    await sql`UPDATE listing.listing SET price = 20, currency = 'GBP' WHERE company_id = ${companyId}`.execute(db);
    await sql`INSERT INTO finance.day_rate (company_id, currency, day, rate, updated_by_name) VALUES (${companyId}, 'GBP', ${clock.today()}, 9, '测试')`.execute(
      db,
    );
  });
  await owner.call(saveDeclaredRate, { body: { country: '', rate: '0.3' } });
  await owner.call(saveDeclaredRate, { body: { country: 'UK', rate: '0.25' } });
  await owner.call(saveDeclaredRate, { body: { country: '', categoryId: kitchen, rate: '0.4' } });
});
afterAll(() => world.close());

describe('declared values', () => {
  it('take the share of the category, then of the country', async () => {
    expect(await row('CUP')).toMatchObject({
      rate: '0.4000',
      declared: '8.00',
      unitCost: '50.0000',
      costAbroad: '5.56',
      state: 'fine',
    });
    expect(await row('LAMP-UK')).toMatchObject({ rate: '0.2500', declared: '5.00', costAbroad: '6.67', state: 'low' });
    expect((await row('NOTHING'))?.state).toBe('noCost');
    const low = await owner.call(listDeclared, { body: { filter: { state: 'low', country: ['UK'] } } });
    expect(low.records.map((one) => one.msku)).toEqual(['LAMP-UK']);
    const twice = await owner.send(saveDeclaredRate, { body: { country: 'UK', rate: '0.5' } });
    expect(twice.msg).toBe('该目的国与品类已有申报比例，请修改原有的一行');
  });

  it('below cost are agreed to once, with a ground of the law, and again when they fall', async () => {
    const body = { listings: [ref('LAMP-UK')], reason: '样品批次', legalBasis: '估价条款第6条' };
    const clerk = await world.member(owner, ['amz:customs:view', 'amz:customs:edit']);
    expect((await clerk.send(approveLow, { body })).code).toBe(403);
    expect((await owner.send(approveLow, { body: { ...body, legalBasis: ' ' } })).msg).toContain('法律依据');
    const answers = await Promise.all([owner.send(approveLow, { body }), owner.send(approveLow, { body })]);
    expect(answers.map((one) => one.code).sort()).not.toEqual([201, 201]);
    expect(answers.filter((one) => one.code === 201)).toHaveLength(1);
    expect(await row('LAMP-UK')).toMatchObject({ state: 'approved', legalBasis: '估价条款第6条' });
    await owner.call(lockDeclared, { body: { listings: [ref('LAMP-UK')], value: '4.5', reason: '合同价' } });
    expect(await row('LAMP-UK')).toMatchObject({
      state: 'low',
      declared: '4.50',
      locked: true,
      rate: null,
      legalBasis: null,
    });
    await owner.call(unlockDeclared, { body: { listings: [ref('LAMP-UK')] } });
    expect((await row('LAMP-UK'))?.state).toBe('approved');
    expect((await owner.send(approveLow, { body: { ...body, listings: [ref('CUP')] } })).msg).toBe(
      'CUP 不低于采购成本，或已经审批',
    );
  });

  it('show costs to those who may, and nothing to another company', async () => {
    const clerk = await world.member(owner, ['amz:customs:view']);
    expect(await row('CUP', clerk)).not.toHaveProperty('costAbroad');
    const outsider = await world.owner('别的公司');
    expect((await outsider.call(listDeclared, { body: {} })).total).toBe(0);
    const theft = await outsider.send(lockDeclared, { body: { listings: [ref('CUP')], value: '1', reason: 'x' } });
    expect(theft.code).toBe(404);
    const [rate] = await owner.call(listDeclaredRates, { body: {} });
    expect((await outsider.send(deleteDeclaredRate, { body: { id: rate?.id ?? '' } })).code).toBe(404);
    const file = await owner.send(exportDeclared, { body: { format: 'csv' } });
    expect(file.raw.toString('utf8')).toContain('LAMP-UK');
  });
});

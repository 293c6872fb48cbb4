import { afterAll, beforeAll, expect, it } from 'vitest';
import { createWorld, type World } from '#test/support/world.ts';
import {
  clauseChoices,
  filled,
  listClauses,
  removeClauses,
  saveClauses,
  unknownPlaceholders,
} from '../contract/clause.ts';
import { orderDetail, orderSteps, printOrder, saveOrder } from '../contract/order-calls.ts';
import { mergeOrders, splitOrder } from '../contract/parts.ts';
import { type Buyers, createBuyers, createSupplier, detailOf, draftOrder, productOf } from './support.ts';

let world: World;
let buyers: Buyers;
let supplierId: string;

beforeAll(async () => {
  world = await createWorld();
  buyers = await createBuyers(world, ['A', 'B']);
  supplierId = await createSupplier(buyers.owner, '瑞安五金', {
    fullName: '瑞安市五金制造有限公司',
    terms: [{ share: '1', anchor: 'receipt', days: 30 }],
  });
});
afterAll(() => world.close());

const LINE = [{ sku: 'A', qty: 10, unitPrice: '12.5' }];
const BODY = [
  '本合同由{采购方}与{供应商}订立。',
  '',
  '  交期：{交期}，交货地点：{交货地点}。',
  '付款条件：{付款条件}，币种{币种}，合计{合同总额}（{大写金额}）。',
  '逾期交货每日按货款的{违约金比例}支付违约金。',
].join('\n');

const template = (name: string, more: object = {}) =>
  buyers.chief.call(saveClauses, { body: { name, body: BODY, penalty: '0.0005', ...more } });
const defaults = async () =>
  (await buyers.owner.call(clauseChoices, {})).map(({ name, defaultFor }) => [name, ...defaultFor]);

it('a template names what it asks for: what no order can fill is refused by name, and so is a penalty that nobody gave', async () => {
  expect(unknownPlaceholders('{交期}{船期}{船期}{ }')).toEqual(['船期', ' ']);
  expect(filled('{币种}{船期}', { 币种: 'USD' } as never)).toBe('USD{船期}');
  await expect(template('错', { body: '于{船期}前装运' })).rejects.toThrow('未知的占位符「船期」');
  await expect(template('错', { body: '于{交期前装运' })).rejects.toThrow('花括号不成对');
  await expect(template('错', { penalty: null })).rejects.toThrow('请填写违约金比例');
  await expect(template('错', { body: Array.from({ length: 41 }, () => '条').join('\n') })).rejects.toThrow('40条');
  const mayNot = await buyers.buyer.send(saveClauses, { body: { name: '错', body: BODY } });
  expect(mayNot.status).toBe(403);
});

it('one template is the default of a type, and a name is one template', async () => {
  const { id } = await template('标准', { defaultFor: ['GOODS', 'SAMPLE'] });
  const other = await template('辅料', { defaultFor: ['SAMPLE', 'CONSUMABLE'] });
  expect(await defaults()).toEqual([
    ['标准', 'GOODS'],
    ['辅料', 'CONSUMABLE', 'SAMPLE'],
  ]);
  await expect(template('标准')).rejects.toThrow('合同条款模板「标准」已存在');
  await expect(template('标准', { id, version: 7 })).rejects.toThrow('修改，请刷新');
  await template('标准', { id, version: 0, defaultFor: ['GOODS', 'SAMPLE', 'CONSUMABLE'] });
  expect(await defaults()).toEqual([['标准', 'CONSUMABLE', 'GOODS', 'SAMPLE'], ['辅料']]);
  const { records } = await buyers.owner.call(listClauses, { body: { filter: { name: '标' } } });
  expect(records).toMatchObject([{ name: '标准', defaults: '辅料采购、成品采购、样品采购', clauses: 4 }]);
  await buyers.chief.call(removeClauses, { body: { id: other.id } });
  expect(await defaults()).toHaveLength(1);
});

it('an order takes the text of its day; a draft changes it by line, and from submission on it stands', async () => {
  const saved = await draftOrder(buyers, LINE, { supplierId, expectedOn: '2026-12-20' });
  const { order } = await detailOf(buyers, saved.id);
  expect(order.clauses).toMatchObject({ template: '标准', penalty: '0.0005' });
  expect(order.clauses.filled).toEqual([
    '本合同由测试公司与瑞安市五金制造有限公司订立。',
    '交期：2026-12-20，交货地点：深圳仓。',
    '付款条件：到货后30天 100%，币种CNY，合计¥125.00（壹佰贰拾伍元整）。',
    '逾期交货每日按货款的0.05%支付违约金。',
  ]);
  const blind = await world.member(buyers.owner, ['erp:purchase:order:view']);
  const seen = await blind.call(orderDetail, { params: { id: saved.id } });
  expect(seen.order.clauses.filled[2]).toBe('付款条件：到货后30天 100%，币种CNY，合计***（***）。');

  // Another text of the template is of no concern to this order; its own may be written anew.
  const [{ id: templateId = '' } = {}] = await buyers.owner.call(clauseChoices, {});
  await template('标准', { id: templateId, body: '另行约定。', penalty: null, defaultFor: ['GOODS'] });
  const lines = [...order.clauses.lines.slice(0, 1), '验收标准以封样为准，币种{币种}。'];
  const body = (clauses?: object) => ({
    id: saved.id,
    supplierId,
    warehouseId: buyers.main,
    lines: [{ productId: productOf(buyers, 'A'), qty: 10, unitPrice: '12.5' }],
    ...(clauses ? { clauses } : {}),
  });
  const bad = buyers.buyer.call(saveOrder, { body: body({ templateId, lines: ['{船期}'] }) });
  await expect(bad).rejects.toThrow('未知的占位符「船期」');
  await buyers.buyer.call(saveOrder, { body: body({ templateId, lines }) });
  await buyers.buyer.call(saveOrder, { body: body() });
  expect((await detailOf(buyers, saved.id)).order.clauses.lines).toEqual(lines);

  await buyers.buyer.call(orderSteps.submit, { body: { id: saved.id } });
  await buyers.chief.call(orderSteps.approve, { body: { id: saved.id } });
  const late = buyers.buyer.call(saveOrder, { body: body({ templateId, lines: ['改'] }) });
  await expect(late).rejects.toThrow('合同条款自提交起不能修改');
  // The same clauses, and the rest of an approved order, may come again.
  await buyers.buyer.call(saveOrder, { body: body({ templateId, lines }) });
  await buyers.chief.call(removeClauses, { body: { id: templateId } });
  await buyers.buyer.call(saveOrder, { body: body({ templateId, lines }) });
  const after = (await detailOf(buyers, saved.id)).order.clauses;
  expect(after).toMatchObject({ template: '标准', templateId });
  expect(after.filled[1]).toBe('验收标准以封样为准，币种CNY。');
  const paper = await buyers.owner.send(printOrder, { params: { id: saved.id }, query: { paper: 'contract' } });
  expect(paper.raw.subarray(0, 5).toString()).toBe('%PDF-');
});

it('a template that is gone cannot be chosen; pieces that are split off keep the clauses, and only equal ones are merged', async () => {
  const { id: gone } = await template('临时');
  await buyers.chief.call(removeClauses, { body: { id: gone } });
  const clauses = { templateId: gone };
  await expect(draftOrder(buyers, LINE, { clauses })).rejects.toThrow('合同条款模板不存在或已删除');
  const copied = await draftOrder(buyers, LINE, { clauses: { templateId: gone, lines: ['先款后货。'] } });
  expect((await detailOf(buyers, copied.id)).order.clauses).toMatchObject({ templateId: null, template: '' });
  const [line] = (await detailOf(buyers, copied.id)).lines;
  const { made } = await buyers.buyer.call(splitOrder, {
    body: { id: copied.id, parts: [{ lines: [{ lineId: line?.id ?? '', qty: 4 }] }] },
  });
  expect((await detailOf(buyers, made[0]?.id ?? '')).order.clauses.lines).toEqual(['先款后货。']);
  const plain = await draftOrder(buyers, LINE, { clauses: { templateId: null, lines: [] } });
  const merge = (ids: string[]) => buyers.buyer.call(mergeOrders, { body: { orders: ids.map((id) => ({ id })) } });
  await expect(merge([copied.id, plain.id])).rejects.toThrow('合同条款不同，不能合并');
  await merge([copied.id, made[0]?.id ?? '']);
});

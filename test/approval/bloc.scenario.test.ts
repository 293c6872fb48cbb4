import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { approveTask, rejectTask } from '#modules/approval/contract/desk.ts';
import { addAccount, listAccounts } from '#modules/finance/contract/accounts.ts';
import { blocRequest } from '#modules/finance/contract/bloc.ts';
import { blocData, blocSteps, carryBloc, saveBloc } from '#modules/finance/contract/bloc-calls.ts';
import { savePartner } from '#modules/finance/contract/payables.ts';
import { getRemind } from '#modules/message/contract/messages.ts';
import { createWorld, type Person, type World } from '../support/world.ts';
import { flowFor, step, taskOf } from './support.ts';

let world: World;
let owner: Person;
let clerk: Person;
let chief: Person;
let cashier: Person;
let bank: string;
let partner: string;

beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  owner = await world.owner();
  clerk = await world.member(owner, ['fin:dealing:view', 'fin:dealing:apply']);
  chief = await world.member(owner, ['fin:dealing:view', 'fin:dealing:approve']);
  cashier = await world.member(owner, ['fin:dealing:view', 'fin:dealing:pay', 'fin:dealing:void']);
  bank = (await owner.call(addAccount, { body: { name: '招商银行', opening: '10000' } })).id;
  partner = (await owner.call(savePartner, { body: { name: '杭州子公司', kind: 'GROUP' } })).id;
});

const body = (amount: string, id?: string) => ({
  ...(id ? { id } : {}),
  kind: 'LOAN' as const,
  giverId: 'OWN' as const,
  takerId: partner,
  amount,
  reason: '周转',
});
const stateOf = async (id: string) => (await owner.call(blocData, { params: { id } })).document.state;

it('a flow refuses a request between companies, and lets it pass when it comes again with less; nobody goes around it', async () => {
  await flowFor(owner, blocRequest.name, '往来审批', [step('a', '财务经理', [chief])]);
  const { id } = await clerk.call(saveBloc, { body: body('3000') });
  expect((await clerk.call(blocSteps.submit, { body: { id } })).state).toBe('submitted');
  await expect(chief.call(blocSteps.approve, { body: { id } })).rejects.toThrow('单据审批中');
  await expect(clerk.call(saveBloc, { body: body('1', id) })).rejects.toThrow('单据审批中，不可修改，请先撤回');
  const asked = (await chief.call(getRemind, { body: {} })).records[0];
  expect(asked?.text).toContain('借款 · 本公司 → 杭州子公司');
  await chief.call(rejectTask, { body: { taskId: await taskOf(chief, id), comment: '额度不够' } });
  expect(await stateOf(id)).toBe('returned');
  await clerk.call(saveBloc, { body: body('100', id) });
  await clerk.call(blocSteps.submit, { body: { id } });
  await chief.call(approveTask, { body: { taskId: await taskOf(chief, id) } });
  expect(await stateOf(id)).toBe('approved');
  await cashier.call(carryBloc, { body: { id, cashAccountId: bank } });
  expect((await owner.call(listAccounts, {}))[0]?.balance).toBe('9900.0000');
  await cashier.call(blocSteps.void, { body: { id, reason: '付错' } });
  expect((await owner.call(listAccounts, {}))[0]?.balance).toBe('10000.0000');
});

it('a flow that asks nobody approves what is handed in', async () => {
  const exempt = { join: 'all' as const, rules: [{ field: 'amountBase', op: 'lt' as const, value: '501' }] };
  await flowFor(owner, blocRequest.name, '往来审批', [step('a', '财务经理', [chief])], { exempt });
  const { id } = await clerk.call(saveBloc, { body: body('500') });
  expect((await clerk.call(blocSteps.submit, { body: { id } })).state).toBe('approved');
});

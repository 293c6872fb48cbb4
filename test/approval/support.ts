import type { z } from 'zod';
import { type SettingInput, saveSetting } from '#modules/approval/contract/config.ts';
import { deskList } from '#modules/approval/contract/desk.ts';
import type { ApproveNode, Definition, FlowNode } from '#modules/approval/contract/flow.ts';
import { publishFlow, saveFlow } from '#modules/approval/contract/flows.ts';
import { inboundCalls } from '#modules/warehouse/contract/documents/inbound.ts';
import { type House, productOf } from '#test/support/house.ts';
import type { Person } from '#test/support/world.ts';

export const INBOUND = 'warehouse.inbound';

/** A step of people of the company. */
export function step(key: string, name: string, people: readonly Person[], more: Partial<ApproveNode> = {}): FlowNode {
  return {
    key,
    type: 'approve',
    name,
    who: [{ from: 'users', ids: people.map(({ userId }) => userId) }],
    mode: 'any',
    percent: 60,
    waitAll: false,
    empty: 'admin',
    emptyPeople: [],
    due: null,
    ...more,
  };
}

type Config = Partial<z.input<typeof SettingInput>>;
function settingWith(docType: string, more: Config) {
  return {
    docType,
    enabled: true,
    exempt: null,
    selfApprove: false,
    dedup: 'all' as const,
    withdraw: 'untouched' as const,
    tolerance: '0',
    batch: true,
    admins: [],
    delegationDays: 30,
    ...more,
  };
}

/** Has documents of a kind approved by a flow from now on; answers the id of the flow. */
export async function flowFor(
  owner: Person,
  docType: string,
  name: string,
  steps: Definition['steps'],
  more: Config = {},
): Promise<string> {
  const { id, version } = await owner.call(saveFlow, { body: { name, docType, definition: { steps } } });
  await owner.call(publishFlow, { params: { id }, body: { version } });
  await configure(owner, more, docType);
  return id;
}

/** Has receipts approved by a flow from now on. */
export function switchOn(owner: Person, steps: Definition['steps'], more: Config = {}, name = '入库审批') {
  return flowFor(owner, INBOUND, name, steps, more);
}

/** Says otherwise how documents of a kind are handled; what is not named is as companies begin. */
export function configure(owner: Person, more: Config, docType = INBOUND) {
  return owner.call(saveSetting, { body: settingWith(docType, more) });
}

/** A receipt of one line, not handed in yet. */
export function draft(house: House, qty = 10, unitCost = '2.5', warehouse = house.main) {
  return house.owner.call(inboundCalls.save, {
    body: { warehouseId: warehouse, lines: [{ productId: productOf(house, 'A'), qty, unitCost }] },
  });
}

/** A receipt that the clerk has handed in. */
export async function submitted(house: House, qty = 10, unitCost = '2.5', warehouse = house.main) {
  const saved = await draft(house, qty, unitCost, warehouse);
  return { ...saved, ...(await house.clerk.call(inboundCalls.submit, { body: { id: saved.id } })) };
}

export async function stateOf(house: House, id: string): Promise<string> {
  return (await house.owner.call(inboundCalls.data, { params: { id } })).document.state;
}

/** The open task of somebody for a document. */
export async function taskOf(person: Person, docId: string): Promise<string> {
  const { records } = await person.call(deskList, { body: { filter: { tab: 'todo' }, pagesize: 100 } });
  const row = records.find((one) => one.docId === docId);
  if (!row) throw new Error('nothing to decide');
  return row.id;
}

export async function instanceOf(person: Person, docId: string): Promise<string> {
  const { records } = await person.call(deskList, { body: { filter: { tab: 'mine' }, pagesize: 100 } });
  const row = records.find((one) => one.docId === docId);
  if (!row) throw new Error('no approval');
  return row.instanceId;
}

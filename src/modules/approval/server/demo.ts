import type { Ctx } from '#kit/server/context.ts';
import type { Condition } from '../contract/condition.ts';
import { ApproveNode, type FlowNode } from '../contract/flow.ts';
import { FlowInput } from '../contract/flows.ts';
import { publish, putFlow } from './flows/flows.ts';
import { putSetting, settingOf } from './setting.ts';

interface Deciders {
  boss: string;
  finance: string;
}

const approver = (key: string, name: string, ids: string[], more: Partial<ApproveNode> = {}): FlowNode =>
  ApproveNode.parse({ key, type: 'approve', name, who: [{ from: 'users', ids }], ...more });

/** CNY, by the rates of the day of submission. */
const atLeast = (amount: string): Condition => ({
  join: 'all',
  rules: [{ field: 'amountBase', op: 'gte', value: amount }],
});

/** Plans of some value are the boss's to decide, finance hears of it; smaller ones need nobody. */
function planSteps({ boss, finance }: Deciders): FlowNode[] {
  const told: FlowNode = { key: 'c1', type: 'cc', name: '抄送财务', who: [{ from: 'users', ids: [finance] }] };
  const dear = [approver('a1', '老板审批', [boss], { due: { hours: 8, clock: 'working', action: 'remind' } }), told];
  return [
    {
      key: 'b1',
      type: 'branch',
      name: '预估金额',
      cases: [
        { name: '两万元以上', when: atLeast('20000'), steps: dear },
        { name: '其余', when: null, steps: [] },
      ],
    },
  ];
}

/** An example of everything that a manager asks for: amounts, people beside each other, a time-out, a copy. */
function orderSteps({ boss, finance }: Deciders): FlowNode[] {
  const lead = (key: string, name: string, more: Partial<ApproveNode> = {}): FlowNode =>
    ApproveNode.parse({ key, type: 'approve', name, who: [{ from: 'leader', level: 1 }], ...more });
  const beside: FlowNode = {
    key: 'p1',
    type: 'parallel',
    name: '会审',
    branches: [
      { name: '财务', steps: [approver('a2', '财务复核', [finance])] },
      { name: '部门', steps: [lead('a3', '主管会审', { due: { hours: 8, clock: 'working', action: 'leader' } })] },
    ],
  };
  return [
    {
      key: 'b1',
      type: 'branch',
      name: '采购金额',
      cases: [
        { name: '五万元以上', when: atLeast('50000'), steps: [beside, approver('a4', '老板审批', [boss])] },
        { name: '五千元以上', when: atLeast('5000'), steps: [lead('a1', '部门主管')] },
        { name: '其余', when: null, steps: [{ key: 'e1', type: 'auto', name: '自动通过', action: 'approve' }] },
      ],
    },
  ];
}

/** Money between companies of the group is finance's to decide, much of it the boss's as well. */
function blocSteps({ boss, finance }: Deciders): FlowNode[] {
  return [
    {
      key: 'b1',
      type: 'branch',
      name: '往来金额',
      cases: [
        {
          name: '五万元以上',
          when: atLeast('50000'),
          steps: [approver('a1', '财务与老板会签', [finance, boss], { mode: 'all' })],
        },
        { name: '其余', when: null, steps: [approver('a2', '财务审批', [finance])] },
      ],
    },
  ];
}

/** Names of the kinds of documents that the flows are for. */
interface Kinds {
  plan: string;
  order: string;
  bloc: string;
}

/**
 * Flows of the demo company: those for purchase plans and for requests between companies are in force, and there is the
 * draft of one for purchase orders, to be looked at and published. The ids are those of members.
 */
export async function demoFlows(ctx: Ctx, kinds: Kinds, deciders: Deciders): Promise<void> {
  const put = (name: string, docType: string, steps: FlowNode[]) =>
    putFlow(ctx, FlowInput.parse({ name, docType, definition: { steps } }));
  const inForce = async (name: string, docType: string, steps: FlowNode[]) => {
    const { id, version } = await put(name, docType, steps);
    await publish(ctx, id, version, '首版');
    const { docTitle: _, updatedAt: __, updatedByName: ___, ...setting } = await settingOf(ctx, docType);
    await putSetting(ctx, { ...setting, enabled: true });
  };
  await inForce('采购计划审批', kinds.plan, planSteps(deciders));
  await inForce('往来申请审批', kinds.bloc, blocSteps(deciders));
  await put('采购单分级审批', kinds.order, orderSteps(deciders));
}

import { type Comparison, OPERATORS_OF } from './condition.ts';
import { branchesOf, type Definition, type FlowNode, isNamedBefore, isWork, nodesIn, type Source } from './flow.ts';

/** What a kind of document gives flows to decide by, and who is there to decide. */
export interface Surroundings {
  fields: readonly { key: string; title: string; kind: keyof typeof OPERATORS_OF }[];
  /** What members can be to the document. */
  people: readonly { key: string; title: string }[];
  /** Money leaves by it: no time-out approves it. */
  pays: boolean;
  members: ReadonlySet<string>;
  roles: ReadonlySet<string>;
}

/** Why a definition cannot be published; `key` is the node's. */
export interface Problem {
  key: string;
  text: string;
}

const NUMBER = /^-?\d{1,18}(\.\d{1,10})?$/;

function sourceProblem(source: Source, around: Surroundings): string | undefined {
  if (source.from === 'users') {
    if (source.ids.length === 0) return '未选择成员';
    if (source.ids.some((id) => !around.members.has(id))) return '指定的成员已离职或停用';
  }
  if (source.from === 'roles') {
    if (source.ids.length === 0) return '未选择角色';
    if (source.ids.some((id) => !around.roles.has(id))) return '指定的角色不存在';
  }
  if (source.from === 'related' && !around.people.some(({ key }) => key === source.key))
    return '该单据没有所选的关联人';
  return undefined;
}

function ruleProblem(rule: Comparison, around: Surroundings): string | undefined {
  const field = around.fields.find(({ key }) => key === rule.field);
  if (!field) return '条件使用了该单据没有的字段';
  if (!OPERATORS_OF[field.kind].includes(rule.op)) return `条件「${field.title}」的比较方式不适用`;
  if (rule.op === 'isEmpty') return undefined;
  if (field.kind === 'money' || field.kind === 'number') {
    return typeof rule.value === 'string' && NUMBER.test(rule.value) ? undefined : `条件「${field.title}」须填写数字`;
  }
  const missing = Array.isArray(rule.value) ? rule.value.length === 0 : rule.value === '';
  return missing ? `条件「${field.title}」未填写` : undefined;
}

function branchProblems(node: FlowNode, around: Surroundings): string[] {
  if (node.type !== 'branch') return [];
  const problems: string[] = [];
  const defaults = node.cases.filter(({ when }) => when === null).length;
  if (defaults !== 1 || node.cases.at(-1)?.when !== null) problems.push('须有且只有一个默认分支，并排在最后');
  const seen = new Set<string>();
  for (const { name, when } of node.cases) {
    if (when === null) continue;
    if (when.rules.length === 0) problems.push(`分支「${name}」没有条件`);
    for (const rule of when.rules) {
      const problem = ruleProblem(rule, around);
      if (problem) problems.push(problem);
    }
    const same = JSON.stringify(when);
    if (seen.has(same)) problems.push(`分支「${name}」的条件与前面的分支相同，永远不会走到`);
    seen.add(same);
  }
  return problems;
}

function workProblems(node: FlowNode, around: Surroundings): string[] {
  if (node.type !== 'cc' && !isWork(node)) return [];
  const problems = node.who.flatMap((source) => sourceProblem(source, around) ?? []);
  if (node.who.length === 0)
    problems.unshift(`未设置${{ approve: '审批人', handle: '办理人', cc: '抄送人' }[node.type]}`);
  const picked = node.who.filter(({ from }) => from === 'previous' || from === 'chosen');
  if (picked.length > 1) problems.push('不能同时由发起人自选和上一节点指定');
  if (!isWork(node)) {
    if (picked.some(({ from }) => from === 'previous')) problems.push('抄送人不能由上一节点指定');
    return problems;
  }
  if (node.empty === 'people' && node.emptyPeople.length === 0) problems.push('未指定无人审批时的接收人');
  if (around.pays && node.due?.action === 'approve') problems.push('资金类单据不能设置超时自动同意');
  if (node.type === 'handle' && node.due && ['approve', 'reject'].includes(node.due.action)) {
    problems.push('办理节点超时不能自动同意或拒绝');
  }
  return problems;
}

/** What can end right in front of a node: a step, the beginning, or a parallel node, whose branches have several ends. */
type Front = 'step' | 'start' | 'parallel';

/** Nodes whose people the step before shall pick, though there is not always one step before them. */
function unnamed(
  steps: readonly FlowNode[],
  from: ReadonlySet<Front>,
): { found: FlowNode[]; ends: ReadonlySet<Front> } {
  const found: FlowNode[] = [];
  let front = from;
  for (const node of steps) {
    if (isNamedBefore(node) && (front.has('start') || front.has('parallel'))) found.push(node);
    if (isWork(node)) front = new Set<Front>(['step']);
    const inner = branchesOf(node).map((branch) => unnamed(branch.steps, front));
    found.push(...inner.flatMap((one) => one.found));
    if (node.type === 'branch') front = new Set(inner.flatMap(({ ends }) => [...ends]));
    if (node.type === 'parallel') front = new Set<Front>(['parallel']);
  }
  return { found, ends: front };
}

/** Nodes that end the flow from within a parallel branch: what runs beside them would be skipped. */
function endings(steps: readonly FlowNode[], parallel: boolean): FlowNode[] {
  return steps.flatMap((node, index) => {
    const early = node.type === 'auto' && ((parallel && node.action === 'approve') || index < steps.length - 1);
    const inner = branchesOf(node).flatMap((branch) => endings(branch.steps, parallel || node.type === 'parallel'));
    return early ? [node, ...inner] : inner;
  });
}

/** Everything that keeps a definition from being published, as 「节点「{name}」{reason}」. */
export function problemsOf(definition: Definition, around: Surroundings): Problem[] {
  const nodes = nodesIn(definition.steps);
  const problems: Problem[] = [];
  const say = (node: FlowNode, reason: string) =>
    problems.push({ key: node.key, text: `节点「${node.name}」${reason}` });
  if (!nodes.some(isWork)) problems.push({ key: '', text: '流程至少需要一个审批人或办理人节点' });
  const [keys, names] = [new Set<string>(), new Set<string>()];
  for (const node of nodes) {
    if (keys.has(node.key)) say(node, '编号重复');
    if (names.has(node.name)) say(node, '名称重复');
    keys.add(node.key);
    names.add(node.name);
    for (const reason of [...branchProblems(node, around), ...workProblems(node, around)]) say(node, reason);
  }
  for (const node of unnamed(definition.steps, new Set<Front>(['start'])).found) {
    say(node, '由上一节点指定，须紧跟在一个审批人或办理人节点之后，不能在流程开头或并行分支之后');
  }
  for (const node of endings(definition.steps, false)) {
    say(node, '须是所在分支的最后一个节点，且并行分支中不能自动通过');
  }
  return problems;
}

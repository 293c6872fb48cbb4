import { type Comparison, type Condition, OPERATORS, type Operator } from './condition.ts';
import type { KindView } from './config.ts';
import { type Due, EMPTY, type FlowNode, MODES, OVERDUE, SOURCES, type Source } from './flow.ts';

/** What each kind of node is called. */
export const NODE_TITLES: Record<FlowNode['type'], string> = {
  approve: '审批人',
  handle: '办理人',
  cc: '抄送人',
  branch: '条件分支',
  parallel: '并行分支',
  auto: '自动处理',
};

/** Names of people, roles and departments by id. */
export type Names = ReadonlyMap<string, string>;

export const listed = (ids: readonly string[], names: Names) => ids.map((id) => names.get(id) ?? '已离职').join('、');

export function sourceWords(source: Source, names: Names, kind: KindView | undefined): string {
  switch (source.from) {
    case 'roles':
      return `${listed(source.ids, names) || '未选择角色'}${source.within ? '（数据范围内）' : ''}`;
    case 'users':
      return listed(source.ids, names) || `未选择${SOURCES[source.from]}`;
    case 'leader':
      return source.level === 1 ? '直属部门负责人' : `上${source.level - 1}级部门负责人`;
    case 'leaders':
      return `连续${source.level}级主管`;
    case 'related':
      return kind?.people.find(({ key }) => key === source.key)?.title ?? '单据关联人';
    default:
      return SOURCES[source.from];
  }
}

/** Comparisons of amounts and numbers as signs: what they are compared with has to fit on the card as well. */
const SIGNS: Partial<Record<Operator, string>> = { eq: '=', ne: '≠', gt: '＞', gte: '≥', lt: '＜', lte: '≤' };

/** "50000.5" as "50,000.5". */
const grouped = (text: string) => text.replace(/\B(?=(\d{3})+(?!\d))(?<!\.\d*)/g, ',');

function ruleWords({ field, op, value }: Comparison, kind: KindView | undefined): string {
  const found = kind?.fields.find(({ key }) => key === field);
  const counted = found?.kind === 'money' || found?.kind === 'number';
  const sign = counted ? SIGNS[op] : undefined;
  if (found && sign) return `${found.title} ${sign} ${grouped(String(value))}`;
  const words = (Array.isArray(value) ? value : [String(value)])
    .map((one) => found?.options.find((option) => option.value === one)?.title ?? one)
    .join('、');
  return `${found?.title ?? field} ${OPERATORS[op]}${op === 'isEmpty' ? '' : ` ${words}`}`;
}

/** A condition as people read it; null is the default case. */
export function conditionWords(when: Condition | null, kind: KindView | undefined): string {
  if (when === null) return '其他情况';
  if (when.rules.length === 0) return '未设置条件';
  return when.rules.map((rule) => ruleWords(rule, kind)).join(when.join === 'all' ? ' 且 ' : ' 或 ');
}

/** A time limit, e.g. 8小时（工作时间）后转上级. */
export function dueWords({ hours, clock, action }: Due): string {
  return `${hours}小时${clock === 'working' ? '（工作时间）' : ''}后${OVERDUE[action]}`;
}

/** What a node does, in one line. */
export function nodeWords(node: FlowNode, names: Names, kind: KindView | undefined): string {
  if (node.type === 'branch') return `按顺序判断 ${node.cases.length} 个分支`;
  if (node.type === 'parallel') return `${node.branches.length} 个分支同时进行，全部完成后继续`;
  if (node.type === 'auto') return node.action === 'approve' ? '流程到此通过' : '流程到此拒绝';
  const who = node.who.map((source) => sourceWords(source, names, kind)).join('、');
  const people = who || { approve: '未设置审批人', handle: '未设置办理人', cc: '未设置抄送人' }[node.type];
  if (node.type === 'cc') return people;
  const due = node.due ? `，${dueWords(node.due)}` : '';
  const vote = node.type === 'approve' && node.mode === 'vote' ? ` ${node.percent}%` : '';
  // How several decide says nothing where there is one.
  const [only, ...others] = node.who;
  const single = only?.from === 'users' && only.ids.length === 1 && others.length === 0;
  return `${people}${single ? '' : ` · ${MODES[node.mode]}${vote}`}${due}`;
}

export const emptyOptions = Object.entries(EMPTY).map(([value, label]) => ({ value, label }));

import type { KindView } from '../../contract/config.ts';
import { branchesOf, type Definition, EMPTY, type FlowNode, isWork, MODES } from '../../contract/flow.ts';
import type { ChangeKind, NodeChange } from '../../contract/flows.ts';
import {
  conditionWords,
  dueWords,
  listed,
  type Names,
  NODE_TITLES,
  nodeWords,
  sourceWords,
} from '../../contract/words.ts';

interface Spot {
  node: FlowNode;
  /** The branch that it stands in, e.g. 金额/两万以上; nothing for the flow itself. */
  branch: string;
  /** Its sequence, by keys. */
  beside: readonly string[];
}

/** What the words of a comparison need: names by id, and the fields of the kind of document. */
interface Around {
  names: Names;
  kind: KindView | undefined;
}

function spots(steps: readonly FlowNode[], branch: string, into: Map<string, Spot>): Map<string, Spot> {
  const beside = steps.map(({ key }) => key);
  for (const node of steps) {
    into.set(node.key, { node, branch, beside });
    for (const { name, steps: inner } of branchesOf(node)) spots(inner, `${node.name}/${name}`, into);
  }
  return into;
}

/** Where a node stands among those of its sequence that `known` has, e.g. 分支「金额/两万以上」中「采购主管」之后. */
function where(key: string, all: ReadonlyMap<string, Spot>, known: (key: string) => boolean): string {
  const { branch, beside } = all.get(key) as Spot;
  const before = beside.slice(0, beside.indexOf(key)).findLast(known);
  const after = before === undefined ? '最前' : `「${all.get(before)?.node.name}」之后`;
  return branch ? `分支「${branch}」中${after}` : after;
}

/** Everything that a node says, by what it is called on the screen; what it holds is compared by itself. */
function said(node: FlowNode, { names, kind }: Around): Record<string, string> {
  const own = { 名称: node.name, 类型: NODE_TITLES[node.type] };
  if (node.type === 'auto') return { ...own, 处理: nodeWords(node, names, kind) };
  if (node.type === 'branch' || node.type === 'parallel') return own;
  const who = node.who.map((source) => sourceWords(source, names, kind)).join('、') || '未设置';
  const people = { ...own, [NODE_TITLES[node.type]]: who };
  if (!isWork(node)) return people;
  const vote = node.type === 'approve' && node.mode === 'vote' ? ` ${node.percent}%` : '';
  const waits = node.type === 'approve' && node.mode === 'all' && node.waitAll ? '，全部表态后再判定' : '';
  return {
    ...people,
    多人时: `${MODES[node.mode]}${vote}${waits}`,
    找不到人时: node.empty === 'people' ? `转${listed(node.emptyPeople, names)}` : EMPTY[node.empty],
    时限: node.due ? dueWords(node.due) : '不限',
  };
}

interface Detail {
  field: string;
  before: string;
  after: string;
}

function differences(a: FlowNode, b: FlowNode, around: Around): Detail[] {
  const [before, after] = [said(a, around), said(b, around)];
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .map((field) => ({ field, before: before[field] ?? '无', after: after[field] ?? '无' }))
    .filter((one) => one.before !== one.after);
}

type Marks = Record<string, ChangeKind>;
interface Pair {
  a: Marks;
  b: Marks;
}

/**
 * The branches of a node in words. Those of one name are the same one; where as many are left on both sides, they were
 * renamed in their order.
 */
function branchDetails(a: FlowNode, b: FlowNode, marks: Pair, { kind }: Around): Detail[] {
  const read = (node: FlowNode) =>
    branchesOf(node).map(({ name }, slot) => ({
      name,
      slot,
      when: node.type === 'branch' ? conditionWords(node.cases[slot]?.when ?? null, kind) : '',
    }));
  const [before, after] = [read(a), read(b)];
  const gone = before.filter(({ name }) => !after.some((one) => one.name === name));
  const come = after.filter(({ name }) => !before.some((one) => one.name === name));
  const renamed = gone.length === come.length;
  const partner = (one: (typeof before)[number]) =>
    after.find(({ name }) => name === one.name) ?? (renamed ? come[gone.indexOf(one)] : undefined);
  const details: Detail[] = [];
  const paired = before.flatMap((one) => {
    const now = partner(one);
    return now ? [{ one, now }] : [];
  });
  for (const { one, now } of paired) {
    const field = `分支「${now.name}」`;
    if (one.name !== now.name) details.push({ field: `${field}名称`, before: one.name, after: now.name });
    if (one.when !== now.when) details.push({ field: `${field}条件`, before: one.when, after: now.when });
    if (one.name === now.name && one.when === now.when) continue;
    marks.a[`${a.key}:${one.slot}`] = 'changed';
    marks.b[`${b.key}:${now.slot}`] = 'changed';
  }
  if (!renamed) {
    for (const { name, slot, when } of gone) {
      details.push({ field: `分支「${name}」`, before: when || '有', after: '删除' });
      marks.a[`${a.key}:${slot}`] = 'removed';
    }
    for (const { name, slot, when } of come) {
      details.push({ field: `分支「${name}」`, before: '无', after: when || '新增' });
      marks.b[`${b.key}:${slot}`] = 'added';
    }
  }
  const orders = [paired.map(({ now }) => now), [...paired.map(({ now }) => now)].sort((x, y) => x.slot - y.slot)];
  const [was, is] = orders.map((all) => all.map(({ name }) => name).join('、'));
  if (was !== undefined && is !== undefined && was !== is) details.push({ field: '判断顺序', before: was, after: is });
  return details;
}

/** The node in whose branch another one stands, and in which. */
function holderOf(key: string, all: ReadonlyMap<string, Spot>): { key: string; slot: number } | undefined {
  for (const [holder, { node }] of all) {
    const slot = branchesOf(node).findIndex(({ steps }) => steps.some((one) => one.key === key));
    if (slot >= 0) return { key: holder, slot };
  }
  return undefined;
}

/**
 * Whether a node stands in another branch or behind another node than before. What was put in or taken out in front of
 * it moves nothing, nor does another name or another place of its branch.
 */
function moved(key: string, before: ReadonlyMap<string, Spot>, after: ReadonlyMap<string, Spot>): boolean {
  const front = (all: ReadonlyMap<string, Spot>, other: ReadonlyMap<string, Spot>) => {
    const beside = all.get(key)?.beside ?? [];
    return beside.slice(0, beside.indexOf(key)).findLast((one) => other.has(one));
  };
  const [was, is] = [holderOf(key, before), holderOf(key, after)];
  if (was?.key !== is?.key || front(before, after) !== front(after, before)) return true;
  return was?.slot !== is?.slot && before.get(key)?.branch !== after.get(key)?.branch;
}

/** What a later definition does otherwise than an earlier one, node by node in words, and what to mark in either picture. */
export function compare(a: Definition, b: Definition, around: Around): { changes: NodeChange[]; marks: Pair } {
  const [before, after] = [spots(a.steps, '', new Map()), spots(b.steps, '', new Map())];
  const changes: NodeChange[] = [];
  const marks: Pair = { a: {}, b: {} };
  const only = (all: ReadonlyMap<string, Spot>, key: string, kind: 'added' | 'removed') => {
    const { node } = all.get(key) as Spot;
    const place = `${NODE_TITLES[node.type]} · ${where(key, all, () => true)}`;
    const words = nodeWords(node, around.names, around.kind);
    changes.push({ key, name: node.name, kind, place, words, details: [] });
    marks[kind === 'added' ? 'b' : 'a'][key] = kind;
  };
  for (const [key, { node }] of after) {
    const old = before.get(key)?.node;
    if (!old) {
      only(after, key, 'added');
      continue;
    }
    const details = [...differences(old, node, around), ...branchDetails(old, node, marks, around)];
    if (moved(key, before, after)) {
      const was = where(key, before, (one) => after.has(one));
      details.push({ field: '位置', before: was, after: where(key, after, (one) => before.has(one)) });
    }
    if (details.length === 0) continue;
    const kind = details.every(({ field }) => field === '位置') ? 'moved' : 'changed';
    const place = `${NODE_TITLES[node.type]} · ${where(key, after, () => true)}`;
    changes.push({ key, name: node.name, kind, place, words: '', details });
    marks.a[key] = kind;
    marks.b[key] = kind;
  }
  for (const key of before.keys()) if (!after.has(key)) only(before, key, 'removed');
  return { changes, marks };
}

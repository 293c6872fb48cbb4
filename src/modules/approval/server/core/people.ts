import { Decimal } from '#kit/contract/decimal.ts';
import type { Chart } from '#modules/identity/server/index.ts';
import type { Setting } from '../../contract/config.ts';
import { type CcNode, type Definition, isWork, SOURCES, type Source, type WorkNode } from '../../contract/flow.ts';
import { holds, type Vars } from './condition.ts';
import { planOf } from './plan.ts';
import type { Assignee, Env } from './state.ts';

/** What the people of a flow depend on, besides the chart of the company. */
export interface Case {
  docType: string;
  initiator: string | null;
  /** In the company's currency. */
  amountBase: string | null;
  vars: Vars;
  /** Members whom the document names. */
  people: Readonly<Record<string, readonly string[]>>;
  /** Members whom its maker, or whoever decided at the step before, picked, by step. */
  chosen: Readonly<Record<string, readonly string[]>>;
}

/** Somebody decides in another's place: in documents of these types (none: of all), up to an amount. */
export interface Delegation {
  from: string;
  to: string;
  types: readonly string[];
  max: string | null;
}

/** The lead of the nearest department at or above one that is not `except` and works here. */
function leadFrom(chart: Chart, department: string | null, except: string | null): string | undefined {
  const seen = new Set<string>();
  for (let id = department; id !== null && !seen.has(id); ) {
    seen.add(id);
    const found = chart.departments.get(id);
    const leader = found?.leader ?? null;
    if (leader !== null && leader !== except && chart.members.get(leader)?.active) return leader;
    id = found?.parent ?? null;
  }
  return undefined;
}

/** Lead of the department `level - 1` steps above a member's own. */
function leadAt(chart: Chart, member: string | null, level: number): string | undefined {
  let department = member === null ? null : (chart.members.get(member)?.department ?? null);
  for (let step = 1; step < level && department !== null; step += 1) {
    department = chart.departments.get(department)?.parent ?? null;
  }
  return (department !== null && chart.departments.get(department)?.leader) || undefined;
}

/** Lead above somebody: who decides in his place where nobody stands in for him. */
export function leadOf(chart: Chart, member: string): string | undefined {
  return leadFrom(chart, chart.members.get(member)?.department ?? null, member);
}

/** Leads above somebody who work here, the nearest first. */
export function leadsAbove(chart: Chart, member: string): string[] {
  const leads = new Set<string>();
  const seen = new Set<string>();
  for (let id = chart.members.get(member)?.department ?? null; id !== null && !seen.has(id); ) {
    seen.add(id);
    const { leader = null, parent = null } = chart.departments.get(id) ?? {};
    if (leader !== null && leader !== member && chart.members.get(leader)?.active) leads.add(leader);
    id = parent;
  }
  return [...leads];
}

function named(source: Source, key: string, { chart, covers }: Company, of: Case): string[] {
  switch (source.from) {
    case 'users':
      return source.ids;
    case 'roles':
      return source.ids
        .flatMap((role) => chart.roles.get(role) ?? [])
        .filter((member) => !source.within || covers(member));
    case 'leader':
      return [leadAt(chart, of.initiator, source.level) ?? []].flat();
    case 'leaders':
      return Array.from({ length: source.level }, (_, index) => leadAt(chart, of.initiator, index + 1) ?? []).flat();
    case 'related':
      return [...(of.people[source.key] ?? [])];
    case 'chosen':
    case 'previous':
      return [...(of.chosen[key] ?? [])];
    case 'initiator':
      return of.initiator === null ? [] : [of.initiator];
  }
}

/** Who decides for `id`: himself, whoever he delegated to, or where he is away his lead. One hop, never further. */
function standing(id: string, chart: Chart, all: readonly Delegation[], of: Case, self: boolean): Assignee | undefined {
  const active = (member: string) => chart.members.get(member)?.active ?? false;
  const delegate = all.find(
    ({ from, to, types, max }) =>
      from === id &&
      active(to) &&
      (self || to !== of.initiator) &&
      (types.length === 0 || types.includes(of.docType)) &&
      (max === null || of.amountBase === null || new Decimal(of.amountBase).lte(max)),
  );
  if (delegate) return { person: delegate.to, insteadOf: id };
  if (active(id)) return { person: id, insteadOf: null };
  const lead = leadOf(chart, id);
  return lead === undefined || (!self && lead === of.initiator) ? undefined : { person: lead, insteadOf: id };
}

/** Each person once, for whomever he was named first. */
export function unique(people: readonly Assignee[]): Assignee[] {
  return [...new Map(people.toReversed().map((one) => [one.person, one])).values()].reverse();
}

/**
 * Everybody whose voice is asked has one of his own: where somebody stands in who is asked himself or for another
 * already, the seat stays with whose it is, or goes to his leads and those who look after the flow.
 */
function seated(
  seats: readonly { id: string; stands: Assignee | undefined }[],
  others: (id: string) => readonly string[],
): Assignee[] {
  const taken = new Map<string, string>();
  for (const { id, stands } of seats) if (stands?.person === id) taken.set(id, id);
  for (const { id, stands } of seats) {
    if (stands === undefined || stands.person === id) continue;
    const person = [stands.person, ...others(id)].find((one) => !taken.has(one));
    if (person !== undefined) taken.set(person, id);
  }
  const byId = new Map([...taken].map(([person, id]) => [id, person]));
  return seats.flatMap(({ id }) => {
    const person = byId.get(id);
    return person === undefined ? [] : [{ person, insteadOf: person === id ? null : id }];
  });
}

/** Administrators of a kind's flows who work here; the owners where none is named. */
export function adminsOf(chart: Chart, setting: Pick<Setting, 'admins'>): string[] {
  const named = setting.admins.filter((id) => chart.members.get(id)?.active);
  if (named.length > 0) return named;
  return [...chart.members].filter(([, { owner, active }]) => owner && active).map(([id]) => id);
}

export interface World {
  chart: Chart;
  env: Env;
  admins: readonly string[];
  /** Somebody who is asked besides those of the definition: passed on, added. */
  standingFor: (id: string) => Assignee;
  /** Why somebody is asked at a step, e.g. 角色, or 代 张三（委托）; nothing where the step does not ask him now. */
  why: (node: WorkNode | CcNode, person: string) => string;
}

/** The company as far as people of a flow depend on it. */
export interface Company {
  chart: Chart;
  /** In force now, the newest first. */
  delegations: readonly Delegation[];
  /** Whether the data rights of somebody cover the document, or whoever made it. */
  covers: (member: string) => boolean;
}

/** What the interpreter asks of the company. Pure: all of it is given. */
export function worldIn(
  company: Company,
  definition: Definition,
  setting: Pick<Setting, 'selfApprove' | 'dedup' | 'admins'>,
  of: Case,
): World {
  const { chart, delegations: all } = company;
  const self = setting.selfApprove;
  const admins = adminsOf(chart, setting);
  // Who made the document does not decide about it, unless the company allows that or the step names him.
  const bars = (node: { who: readonly Source[] }, person: string) =>
    !self && person === of.initiator && !node.who.some(({ from }) => from === 'initiator');
  const peopleOf = (node: WorkNode | CcNode): Assignee[] => {
    const ids = [...new Set(node.who.flatMap((source) => named(source, node.key, company, of)))];
    const free = !bars(node, of.initiator ?? '');
    const others = ids.filter((id) => !bars(node, id));
    const lead = of.initiator === null ? undefined : leadOf(chart, of.initiator);
    const asked = others.length === 0 && ids.length > 0 && lead !== undefined ? [lead] : others;
    const seats = asked.map((id) => ({ id, stands: standing(id, chart, all, of, free) }));
    if (!isWork(node) || node.mode === 'any') return unique(seats.flatMap(({ stands }) => stands ?? []));
    const active = (id: string) => chart.members.get(id)?.active ?? false;
    return seated(seats, (id) =>
      [id, ...leadsAbove(chart, id), ...admins].filter((other) => active(other) && !bars(node, other)),
    );
  };
  const why = (node: WorkNode | CcNode, person: string): string => {
    const asked = peopleOf(node).find((one) => one.person === person);
    if (!asked) return '';
    const { insteadOf } = asked;
    const source = node.who.find((one) => named(one, node.key, company, of).includes(insteadOf ?? person));
    const from = source
      ? `${SOURCES[source.from]}${source.from === 'roles' && source.within ? '（数据范围内）' : ''}`
      : '发起人不能审批本人单据，由上级审批';
    if (insteadOf === null) return from;
    const delegated = all.some((one) => one.from === insteadOf && one.to === person);
    const reason = delegated ? '委托' : chart.members.get(insteadOf)?.active ? '已另有一票' : '已停用';
    return `${from}，代 ${chart.members.get(insteadOf)?.name ?? ''}（${reason}）`;
  };
  const standIns = (node: WorkNode): Assignee[] => {
    const ids = node.empty === 'people' ? node.emptyPeople : [];
    const named = ids.filter((id) => chart.members.get(id)?.active);
    return (named.length > 0 ? named : admins).map((person) => ({ person, insteadOf: null }));
  };
  return {
    chart,
    admins,
    why,
    env: {
      plan: planOf(definition),
      holds: (condition) => holds(condition, of.vars),
      people: peopleOf,
      standIns,
      bars,
      dedup: setting.dedup,
    },
    standingFor: (id) => standing(id, chart, all, of, self) ?? { person: id, insteadOf: null },
  };
}

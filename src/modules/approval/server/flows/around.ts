import type { ApprovalField } from '#kit/server/approval.ts';
import type { Ctx } from '#kit/server/context.ts';
import { chartOf, departmentsOf, rolesOf } from '#modules/identity/server/index.ts';
import type { Surroundings } from '../../contract/check.ts';
import type { KindView } from '../../contract/config.ts';
import { kindOf, kindsOf } from '../kinds.ts';

/** Fields that documents of every kind have. */
const COMMON: readonly ApprovalField[] = [
  { key: 'amountBase', title: '金额（本位币）', kind: 'money' },
  { key: 'currency', title: '币种', kind: 'text' },
  {
    key: 'department',
    title: '发起人部门',
    kind: 'choice',
    options: async (ctx) => (await departmentsOf(ctx)).map(({ id, name }) => ({ value: id, title: name })),
  },
  {
    key: 'initiator',
    title: '发起人',
    kind: 'choice',
    options: async (ctx) =>
      [...(await chartOf(ctx)).members]
        .filter(([, { active }]) => active)
        .map(([id, { name }]) => ({ value: id, title: name })),
  },
];

export function fieldsOf(own: readonly ApprovalField[]): ApprovalField[] {
  return [...COMMON, ...own];
}

/** What flows of each kind of document can use. */
export async function kindViews(ctx: Ctx): Promise<KindView[]> {
  const views: KindView[] = [];
  for (const { def, fields, people, pays } of kindsOf(ctx.runtime)) {
    const shown: KindView['fields'] = [];
    for (const { key, title, kind, options } of fieldsOf(fields)) {
      shown.push({ key, title, kind, options: options ? [...(await options(ctx))] : [] });
    }
    views.push({
      docType: def.name,
      title: def.title,
      pays: pays ?? false,
      fields: shown,
      people: Object.entries(people ?? {}).map(([key, title]) => ({ key, title })),
    });
  }
  return views;
}

/** What the checks of a definition need to know. */
export async function surroundings(ctx: Ctx, docType: string): Promise<Surroundings> {
  const { fields, people, pays } = kindOf(ctx.runtime, docType);
  const chart = await chartOf(ctx);
  return {
    fields: fieldsOf(fields).map(({ key, title, kind }) => ({ key, title, kind })),
    people: Object.entries(people ?? {}).map(([key, title]) => ({ key, title })),
    pays: pays ?? false,
    members: new Set([...chart.members].filter(([, { active }]) => active).map(([id]) => id)),
    roles: new Set((await rolesOf(ctx)).map(({ id }) => id)),
  };
}

/** Whom and what flows can name. */
export async function organisation(ctx: Ctx) {
  const chart = await chartOf(ctx);
  return {
    members: [...chart.members]
      .filter(([, { active }]) => active)
      .map(([id, { name, department }]) => ({
        id,
        name,
        department: (department && chart.departments.get(department)?.name) || '',
      })),
    roles: await rolesOf(ctx),
    departments: await departmentsOf(ctx),
    kinds: kindsOf(ctx.runtime).map(({ def }) => ({ id: def.name, name: def.title })),
  };
}

import type { Position } from '#modules/identity/server/index.ts';
import { type Audience, PLANS, USER_TYPES } from '../contract/announcements.ts';

/** Whether a member belongs to those an announcement is for; a part that is left out or empty narrows nothing. */
export function isFor(
  audience: Audience | null,
  reader: Pick<Position, 'userType' | 'roles' | 'departments'>,
): boolean {
  if (!audience) return true;
  const { userTypes, roles, departments } = audience;
  if (userTypes?.length && !(userTypes as string[]).includes(reader.userType)) return false;
  if (roles?.length && !roles.some((id) => reader.roles.includes(id))) return false;
  return !departments?.length || departments.some((id) => reader.departments.includes(id));
}

export interface Names {
  companies: ReadonlyMap<string, string>;
  departments: ReadonlyMap<string, string>;
  roles: ReadonlyMap<string, string>;
}

function listed(ids: readonly string[], names: ReadonlyMap<string, string>): string {
  return ids.map((id) => names.get(id) ?? '已删除').join('、');
}

/** An audience in words: 全部成员; 角色 运营、财务 · 常规账户. */
export function audienceText(audience: Audience | null, names: Names, platform: boolean): string {
  const { companies, plan, departments, roles, userTypes } = audience ?? {};
  const parts: string[] = [];
  if (companies?.length) parts.push(`公司 ${listed(companies, names.companies)}`);
  if (plan && plan !== 'all') parts.push(`${PLANS[plan]}公司`);
  if (departments?.length) parts.push(`部门 ${listed(departments, names.departments)}`);
  if (roles?.length) parts.push(`角色 ${listed(roles, names.roles)}`);
  if (userTypes?.length) parts.push(userTypes.map((type) => USER_TYPES[type]).join('、'));
  return parts.length > 0 ? parts.join(' · ') : platform ? '全部公司' : '全部成员';
}

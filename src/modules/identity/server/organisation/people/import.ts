import { writtenDay } from '#kit/contract/day.ts';
import type { Ctx } from '#kit/server/context.ts';
import { refused } from '#kit/server/errors.ts';
import { readSheet, SheetRefused } from '#kit/server/excel/read.ts';
import type { OpenCtx } from '#kit/server/http/serve.ts';
import { inTenant } from '#kit/server/runtime.ts';
import { EMAIL, normalised, PHONE } from '../../../contract/account.ts';
import type { ImportLine } from '../../../contract/sub-users.ts';
import { admit, hashPassword } from '../../password.ts';
import { departmentChoices } from '../departments.ts';
import { oneTimePassword } from './one-time.ts';
import { insertPeople } from './save.ts';

/** Headings of the sheet, in order. */
export const HEADINGS = ['用户名', '登录账号', '部门', '角色', '邮箱', '联系电话', '到期时间'] as const;
type Heading = (typeof HEADINGS)[number];
const REQUIRED: readonly Heading[] = ['用户名', '登录账号'];
const MAX_ROWS = 200;

interface Problem {
  line: number;
  column: string;
  value: string;
  reason: string;
  suggestion: string;
}

interface Known {
  roles: ReadonlyMap<string, string>;
  depts: ReadonlyMap<string, string>;
  accounts: ReadonlySet<string>;
}

/** Names of what a line may refer to; departments by name and by their whole path. */
async function knownTo(ctx: Ctx): Promise<Known> {
  const roles = await ctx.db
    .selectFrom('identity.role')
    .select(['id', 'name'])
    .where('company_id', '=', ctx.companyId)
    .execute();
  const people = await ctx.db
    .selectFrom('identity.member')
    .select('account')
    .where('company_id', '=', ctx.companyId)
    .where('deleted_at', 'is', null)
    .execute();
  const depts = await departmentChoices(ctx);
  return {
    roles: new Map(roles.map((role) => [role.name, role.id])),
    depts: new Map([...depts.map((d) => [d.name, d.id] as const), ...depts.map((d) => [d.path, d.id] as const)]),
    accounts: new Set(people.map((row) => row.account)),
  };
}

type Row = Record<Heading, string>;

function problemsOf(row: Row, line: number, known: Known, seen: Map<string, number>): Problem[] {
  const problems: Problem[] = [];
  const report = (column: Heading, reason: string, suggestion: string) =>
    problems.push({ line, column, value: row[column].slice(0, 100), reason, suggestion });
  const account = normalised(row.登录账号);
  if (row.用户名 === '') report('用户名', '用户名不能为空', '填写姓名');
  else if ([...row.用户名].length > 100) report('用户名', '用户名不能超过100个字符', '请缩短');
  if (!PHONE.test(account) && !EMAIL.test(account)) report('登录账号', '登录账号须为手机号或邮箱', '例如 13800000000');
  else if (known.accounts.has(account)) report('登录账号', '该账号已存在', '删除此行');
  else if (seen.has(account)) report('登录账号', `与第 ${seen.get(account)} 行重复`, '同一账号只保留一行');
  if (row.部门 !== '' && !known.depts.has(row.部门)) report('部门', '部门不存在', '先在「部门」中新增，或留空');
  for (const name of rolesIn(row)) {
    if (!known.roles.has(name)) report('角色', `角色「${name}」不存在`, '多个角色用顿号分开');
  }
  if (row.邮箱 !== '' && !EMAIL.test(row.邮箱)) report('邮箱', '请输入正确的邮箱', '例如 name@example.com');
  if (row.到期时间 !== '' && writtenDay(row.到期时间) === undefined) report('到期时间', '日期无效', '填写 yyyy-MM-dd');
  if (row.联系电话.length > 30) report('联系电话', '联系电话不能超过30个字符', '请缩短');
  return problems;
}

function rolesIn(row: Row): string[] {
  return row.角色
    .split(/[、,，;；]/)
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

function lineOf(row: Row): ImportLine {
  return {
    name: row.用户名,
    account: normalised(row.登录账号),
    roles: rolesIn(row),
    ...(row.部门 ? { dept: row.部门 } : {}),
    ...(row.邮箱 ? { email: row.邮箱.toLowerCase() } : {}),
    ...(row.联系电话 ? { tel: row.联系电话 } : {}),
    ...(row.到期时间 ? { expireDate: writtenDay(row.到期时间) } : {}),
  };
}

function rowOf(headers: readonly string[], cells: readonly string[]): Row {
  const at = (heading: Heading) => cells[headers.indexOf(heading)]?.trim() ?? '';
  return Object.fromEntries(HEADINGS.map((heading) => [heading, at(heading)])) as Row;
}

interface Checked {
  rows: number;
  lines: ImportLine[];
  problems: Problem[];
}

function refuseSheet(line: number, reason: string, suggestion: string, value = ''): Checked {
  return { rows: 0, lines: [], problems: [{ line, column: '', value, reason, suggestion }] };
}

function checked(sheet: string[][], known: Known): Checked {
  const [headers = [], ...body] = sheet.map((row) => row.map((cell) => cell.trim()));
  const missing = REQUIRED.filter((heading) => !headers.includes(heading));
  if (missing.length > 0) return refuseSheet(1, `缺少列「${missing.join('」「')}」`, '请使用导入模板的表头');
  const rows = body
    .map((cells, index) => ({ cells, line: index + 2 }))
    .filter(({ cells }) => cells.some((c) => c !== ''));
  if (rows.length === 0) return refuseSheet(1, '文件没有数据行', '请在表头下填写数据');
  if (rows.length > MAX_ROWS)
    return refuseSheet(1, `一次最多导入 ${MAX_ROWS} 行`, '请拆分为多个文件', String(rows.length));
  const seen = new Map<string, number>();
  const result: Checked = { rows: rows.length, lines: [], problems: [] };
  for (const { cells, line } of rows) {
    const row = rowOf(headers, cells);
    const problems = problemsOf(row, line, known, seen);
    seen.set(normalised(row.登录账号), line);
    if (problems.length === 0) result.lines.push(lineOf(row));
    result.problems.push(...problems);
  }
  return result;
}

async function bytesOf(open: OpenCtx): Promise<Buffer> {
  if (!open.upload) throw refused('请选择要上传的文件', 'B0022');
  const { stream } = await open.upload();
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of stream) {
    size += (part as Buffer).length;
    if (size > 2 * 1024 * 1024) throw refused('文件不能超过2MB', 'B0173');
    parts.push(part as Buffer);
  }
  return Buffer.concat(parts);
}

/** Reads an uploaded sheet whole and says of each bad row why; writes nothing. */
export async function checkImport(open: OpenCtx): Promise<Checked> {
  const bytes = await bytesOf(open);
  const sheet = await readSheet(bytes).catch((error: unknown) => {
    throw error instanceof SheetRefused ? refused(error.message, 'B0174') : error;
  });
  const known = await inTenant(open.runtime, open.principal, knownTo, { readOnly: true });
  return checked(sheet, known);
}

/** Adds the people of checked lines, all or none; the passwords are told once. */
export async function commitImport(open: OpenCtx, lines: readonly ImportLine[]) {
  const { pepper } = open.runtime.secrets;
  const secrets: { password: string; hash: string }[] = [];
  for (const _ of lines) {
    const password = oneTimePassword();
    secrets.push({ password, hash: await admit(() => hashPassword(password, pepper)) });
  }
  await inTenant(
    open.runtime,
    open.principal,
    async (ctx) => {
      const known = await knownTo(ctx);
      const idOf = (from: ReadonlyMap<string, string>, name: string, what: string) => {
        const id = from.get(name);
        if (!id) throw refused(`${what}「${name}」不存在，请重新校验`, 'B0175');
        return id;
      };
      await insertPeople(
        ctx,
        lines.map(({ dept, roles, ...line }, index) => ({
          ...line,
          deptId: dept ? idOf(known.depts, dept, '部门') : null,
          roleIds: roles.map((name) => idOf(known.roles, name, '角色')),
          passwordHash: secrets[index]?.hash ?? '',
          mustChange: true,
        })),
      );
    },
    { requestId: open.requestId, ip: open.ip },
  );
  return lines.map(({ account, name }, index) => ({ account, name, password: secrets[index]?.password ?? '' }));
}

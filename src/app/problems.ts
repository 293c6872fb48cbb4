/** Errors of starting that are the machine's, by the code of Node or PostgreSQL, and what to tell its owner. */
const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: '连接被拒绝，请确认数据库已启动、地址和端口正确',
  ENOTFOUND: '找不到主机，请检查地址',
  EAI_AGAIN: '找不到主机，请检查地址',
  ETIMEDOUT: '连接超时',
  '28P01': '用户名或密码错误',
  '28000': '该用户无权连接',
  '3D000': '数据库不存在',
  '42501': '数据库用户权限不足，需要能创建模式和角色',
};
const DISK_FULL = ['ENOSPC', 'EDQUOT', '53100'];

function codesOf(error: unknown): string[] {
  if (typeof error !== 'object' || error === null) return [];
  const { code, cause, errors } = error as { code?: unknown; cause?: unknown; errors?: unknown };
  const inner = Array.isArray(errors) ? errors.flatMap(codesOf) : [];
  return [...(typeof code === 'string' ? [code] : []), ...codesOf(cause), ...inner];
}

/** Why a database cannot be used, in words; undefined where the error says nothing about it. */
export function databaseProblem(error: unknown): string | undefined {
  for (const code of codesOf(error)) if (REASONS[code]) return REASONS[code];
  return undefined;
}

/** Whether a disk is full, wherever that was noticed: by us, by a child's file, or by the database. */
export function isDiskFull(error: unknown): boolean {
  return codesOf(error).some((code) => DISK_FULL.includes(code));
}

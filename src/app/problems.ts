/** Errors of starting that are the machine's, by the code of Node or PostgreSQL, and what to tell its owner. */
const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: '连接被拒绝，请确认数据库已启动、地址和端口正确',
  ECONNRESET: '连接被对方断开，请确认该端口是 PostgreSQL',
  EPIPE: '连接被对方断开，请确认该端口是 PostgreSQL',
  EHOSTUNREACH: '主机不可达，请检查地址和网络',
  ENETUNREACH: '主机不可达，请检查地址和网络',
  ENOTFOUND: '找不到主机，请检查地址',
  EAI_AGAIN: '找不到主机，请检查地址',
  ETIMEDOUT: '连接超时',
  ERR_INVALID_URL: '地址格式不正确，例如 postgres://user:password@host:5432/erp',
  ERR_SOCKET_BAD_PORT: '端口无效',
  '28P01': '用户名或密码错误',
  '28000': '该用户无权连接',
  '3D000': '数据库不存在',
  '42501': '数据库用户权限不足，需要能创建模式和角色',
  '53300': '数据库的连接数已满',
  '57P03': '数据库正在启动或停止，请稍后重试',
};

/** What the driver says in words only, without a code. */
const SAID: readonly (readonly [RegExp, string])[] = [
  [/^SASL:.*password/, '该数据库需要密码，请在 DATABASE_URL 中写入'],
  [/timeout/i, '连接超时，请确认地址和端口正确，且该端口是 PostgreSQL'],
  [/Connection terminated/, '连接被对方断开，请确认该端口是 PostgreSQL'],
  [/does not support SSL/, '数据库不支持 SSL，请去掉 DATABASE_URL 中的 sslmode'],
];

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

/** Why a first connection failed, in one line: in words where the error is a known one, else as the error says it. */
export function connectionProblem(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  const said = SAID.find(([pattern]) => pattern.test(text))?.[1];
  return databaseProblem(error) ?? said ?? text.replace(/\s+/g, ' ').trim();
}

/** Whether a disk is full, wherever that was noticed: by us, by a child's file, or by the database. */
export function isDiskFull(error: unknown): boolean {
  return codesOf(error).some((code) => DISK_FULL.includes(code));
}

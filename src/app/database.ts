import pg from 'pg';
import { ConfigError } from '#kit/server/config.ts';
import { migrate } from '#kit/server/db/migrate.ts';
import { migrationSets } from './migrations.ts';

const REASONS: Record<string, string> = {
  ECONNREFUSED: '连接被拒绝，请确认数据库已启动、地址和端口正确',
  ENOTFOUND: '找不到主机，请检查地址',
  EAI_AGAIN: '找不到主机，请检查地址',
  ETIMEDOUT: '连接超时',
  '28P01': '用户名或密码错误',
  '28000': '该用户无权连接',
  '3D000': '数据库不存在',
  '42501': '数据库用户权限不足，需要能创建模式和角色',
  '53100': '数据库磁盘空间不足',
};

function reasonOf(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code;
  if (typeof code === 'string' && REASONS[code]) return REASONS[code];
  const cause = (error as { cause?: unknown } | null)?.cause;
  if (cause) return reasonOf(cause);
  const [first] = (error as { errors?: unknown[] } | null)?.errors ?? [];
  return first ? reasonOf(first) : undefined;
}

/** Migrates a database; what is wrong with the address or its rights becomes one line. */
export async function migrated(url: string): Promise<void> {
  const probe = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  try {
    await probe.connect();
    await probe.end();
    await migrate(url, migrationSets());
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    const reason = reasonOf(error);
    if (reason) throw new ConfigError(`无法使用数据库：${reason}`);
    throw error;
  }
}

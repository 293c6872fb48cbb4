import { mkdir } from 'node:fs/promises';
import { ConfigError } from './config.ts';

const REASONS: Readonly<Record<string, string>> = {
  EEXIST: '不是目录',
  ENOTDIR: '的上级不是目录',
  EACCES: '没有权限使用',
  EPERM: '没有权限使用',
  EROFS: '所在的磁盘只读',
  ENOSPC: '所在的磁盘空间不足',
  ENAMETOOLONG: '名称过长',
};

/** Makes the data directory where it is missing; @throws ConfigError with one line where none can be had there. */
export async function ensureDataDir(dataDir: string): Promise<void> {
  try {
    await mkdir(dataDir, { recursive: true });
  } catch (error) {
    const reason = REASONS[(error as NodeJS.ErrnoException).code ?? ''];
    if (!reason) throw error;
    throw new ConfigError(`无法使用数据目录 DATA_DIR：${dataDir} ${reason}`);
  }
}

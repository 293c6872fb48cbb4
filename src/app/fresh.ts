import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { type Config, ConfigError } from '#kit/server/config.ts';

/** What the product writes into its data directory; whatever else lies there belongs to somebody else and stays. */
const OURS = ['postgres', 'postgres.password', 'files', 'sandbox', 'secret.key', 'app.pid'];

/** Asks on the terminal; an input that ends without an answer is a no. */
async function askOnTerminal(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const ended = new Promise<string>((resolve) => terminal.once('close', () => resolve('')));
  try {
    return await Promise.race([terminal.question(question), ended]);
  } finally {
    terminal.close();
  }
}

async function holderOf(dataDir: string): Promise<number | undefined> {
  const pid = Number(await readFile(join(dataDir, 'app.pid'), 'utf8').catch(() => ''));
  if (!Number.isInteger(pid) || pid <= 0 || pid === process.pid) return undefined;
  try {
    process.kill(pid, 0);
    return pid;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM' ? pid : undefined;
  }
}

/**
 * Deletes what the product keeps in its data directory, after asking. Throws ConfigError with one line where the answer
 * is not "yes", where another process works on the directory, or where the data is on another database.
 * @param yes takes "yes" for granted, for scripts
 */
export async function beginAnew(
  config: Pick<Config, 'dataDir' | 'databaseUrl'>,
  yes: boolean,
  ask: (question: string) => Promise<string> = askOnTerminal,
): Promise<void> {
  const { dataDir } = config;
  if (config.databaseUrl) throw new ConfigError('--fresh 只适用于内置数据库');
  const there = await readdir(dataDir).catch(() => [] as string[]);
  const found = OURS.filter((name) => there.includes(name));
  if (found.length === 0) return;
  const holder = await holderOf(dataDir);
  if (holder) throw new ConfigError(`数据目录 ${dataDir} 正被另一个进程（${holder}）使用，请先停止它`);
  if (!yes) {
    const reply = await ask(`将删除 ${dataDir} 中的全部数据且不可恢复，输入 yes 继续：`);
    if (reply.trim() !== 'yes') throw new ConfigError('已取消，数据没有改动');
  }
  for (const name of found) await rm(join(dataDir, name), { recursive: true, force: true });
}

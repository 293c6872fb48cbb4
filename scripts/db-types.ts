// Writes the tables' TypeScript types from a freshly migrated database, or with --verify says whether they are current.
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbedded } from '#kit/server/db/embedded.ts';
import { migratedData } from '#test/support/cluster.ts';

const OUT = 'src/kit/server/db/tables.gen.ts';
const verify = process.argv.includes('--verify');

const dataDir = await mkdtemp(join(tmpdir(), 'erp-types-'));
// The cluster that is migrated for this is the one that the tests begin with.
await migratedData(dataDir);
const server = await startEmbedded({ dataDir, durable: false });
try {
  const url = server.url('erp');
  execFileSync(
    process.execPath,
    [
      'node_modules/kysely-codegen/dist/cli/bin.js',
      '--dialect=postgres',
      `--url=${url}`,
      `--out-file=${OUT}`,
      '--exclude-pattern=graphile_worker.*',
      '--numeric-parser=string',
      '--date-parser=string',
      '--type-mapping={"timestamptz":"ColumnType<string, Date | string, Date | string>","int8":"ColumnType<number, number | string, number | string>"}',
      ...(verify ? ['--verify'] : []),
      '--default-schema=none',
      '--include-pattern=*.*',
    ],
    { stdio: 'inherit' },
  );
} finally {
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
}

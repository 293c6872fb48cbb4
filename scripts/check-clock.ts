// Business rules read the product's clock: runtime.clock in TypeScript, kit.now(), kit.instant() and kit.today() in SQL.
// Whoever reads the machine's is named here, with the reason.
import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '..');

const OF_THE_MACHINE: Readonly<Record<string, string>> = {
  'src/kit/server/base/stored/instant.sql': 'the clock itself',
  'src/kit/server/base/stored/now.sql': 'the clock itself',
  'src/kit/server/base/stored/revive_job.sql': 'times of the queue',
  'src/kit/server/clock.ts': 'the clock itself',
  'src/kit/server/db/migrate.ts': 'when a migration was applied',
  'src/kit/server/jobs/tasks.ts': 'how often progress is written',
  'src/kit/server/jobs/worker.ts': 'heartbeat of a process',
  'src/modules/identity/server/menu-overlay.ts': 'a cache',
  'src/modules/identity/server/mfa/totp.ts': 'codes of an app on a phone',
  'src/modules/identity/server/oauth/mount.ts': 'a cache',
  'src/modules/identity/server/sessions.ts': 'a cache',
  'src/modules/identity/server/sso/provider.ts': 'a cache',
  'src/modules/marketplace/migrations/001-marketplace.sql': 'buckets of calls fill by it',
  'src/modules/marketplace/server/api/adaptive.ts': 'pauses of calls',
  'src/modules/marketplace/server/api/buckets.ts': 'pauses of calls',
  'src/modules/marketplace/server/api/log.ts': 'when a call was made',
  'src/modules/marketplace/server/notifications/queue.ts': 'signatures are checked by it',
  'src/modules/system/stored/audit_settled.sql': 'transactions that are open now',
};

const TYPESCRIPT = /new Date\(\)|\bDate\.now\(\)|\bcompanyDay\(\)/;
const SQL = /(?<![\w.])(?:now\(\)|clock_timestamp\(\)|transaction_timestamp\(\)|current_date\b|current_timestamp\b)/i;
const COMMENT = /^\s*(\/\/|\*|\/\*|--)/;

const files = globSync('src/{kit,modules,app}/**/*.{ts,sql}', { cwd: ROOT }).filter(
  (file) => !/\/(test|web)\//.test(file) && (file.endsWith('.sql') || /\/server\/|^src\/app\//.test(file)),
);

const found = files.flatMap((file) => {
  if (file in OF_THE_MACHINE) return [];
  const isSql = file.endsWith('.sql');
  const lines = readFileSync(join(ROOT, file), 'utf8').split('\n');
  const inSql = isSql || lines.some((line) => /\bsql\b|\.query\(/.test(line));
  return lines.flatMap((line, index) => {
    const wrong = !COMMENT.test(line) && ((!isSql && TYPESCRIPT.test(line)) || (inSql && SQL.test(line)));
    return wrong ? [`${file}:${index + 1}: ${line.trim()}`] : [];
  });
});
const gone = Object.keys(OF_THE_MACHINE).filter((file) => !globSync(file, { cwd: ROOT }).length);

for (const line of found) console.error(`reads the machine's clock: ${line}`);
for (const file of gone) console.error(`is named in scripts/check-clock.ts and does not exist: ${file}`);
if (found.length + gone.length > 0) process.exit(1);

// Business rules read the product's clock: runtime.clock in TypeScript, kit.now(), kit.instant() and kit.today() in SQL, and
// its days are those of the company: ctx.clock and kit.day(). Whoever reads the machine's clock, or counts the days of one
// zone for all companies, is named here, with the reason.
import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '..');

const OF_THE_MACHINE: Readonly<Record<string, string>> = {
  'src/kit/server/base/stored/instant.sql': 'the clock itself',
  'src/kit/server/base/stored/now.sql': 'the clock itself',
  'src/kit/server/base/stored/revive_job.sql': 'times of the queue',
  'src/kit/server/clock.ts': 'the clock itself',
  'src/kit/server/db/migrate.ts': 'when a migration was applied',
  'src/kit/server/files.ts': 'the times of files are the disk’s',
  'src/kit/server/jobs/tasks.ts': 'how often progress is written',
  'src/kit/server/jobs/worker.ts': 'heartbeat of a process',
  'src/modules/identity/server/menu-overlay.ts': 'a cache',
  'src/modules/identity/server/mfa/totp.ts': 'codes of an app on a phone',
  'src/modules/identity/server/oauth/mount.ts': 'a cache',
  'src/modules/identity/server/sessions.ts': 'a cache',
  'src/modules/identity/server/sso/provider.ts': 'a cache',
  'src/modules/marketplace/migrations/001-marketplace.sql': 'what a bucket is given that says no time',
  'src/modules/marketplace/server/notifications/queue.ts': 'signatures are checked by it',
  'src/modules/system/stored/audit_settled.sql': 'transactions that are open now',
};

const OF_ONE_ZONE: Readonly<Record<string, string>> = {
  'src/kit/server/base/stored/zone.sql': 'the zone of a company that set none',
  'src/modules/dashboard/server/scope.ts': 'a choice of the screen',
  'src/modules/identity/stored/zone.sql': 'the zone that needs no row',
  'src/modules/finance/server/rates/feed/feed.ts': 'whether a feed for all companies is late',
  'src/modules/system/server/tasks/handlers.ts': 'tasks have zones of their own',
};
const ONE_ZONE = /'Asia\/Shanghai'|\bruntime\.clock\.(?:today|dayAhead|dayOf)\b/;

const TYPESCRIPT = /new Date\(\)|\bDate\.now\(\)/;
const SQL = /(?<![\w.])(?:now\(\)|clock_timestamp\(\)|transaction_timestamp\(\)|current_date\b|current_timestamp\b)/i;
const COMMENT = /^\s*(\/\/|\*|\/\*|--)/;

const files = globSync('src/{kit,modules,app}/**/*.{ts,sql}', { cwd: ROOT }).filter(
  (file) => !/\/(test|web)\//.test(file) && (file.endsWith('.sql') || /\/server\/|^src\/app\//.test(file)),
);

const linesOf = (file: string) => readFileSync(join(ROOT, file), 'utf8').split('\n');
const found = files.flatMap((file) => {
  if (file in OF_THE_MACHINE) return [];
  const isSql = file.endsWith('.sql');
  const lines = linesOf(file);
  const inSql = isSql || lines.some((line) => /\bsql\b|\.query\(/.test(line));
  return lines.flatMap((line, index) => {
    const wrong = !COMMENT.test(line) && ((!isSql && TYPESCRIPT.test(line)) || (inSql && SQL.test(line)));
    return wrong ? [`${file}:${index + 1}: ${line.trim()}`] : [];
  });
});
const fixed = files.flatMap((file) =>
  file in OF_ONE_ZONE || file.includes('/migrations/')
    ? []
    : linesOf(file).flatMap((line, index) =>
        !COMMENT.test(line) && ONE_ZONE.test(line) ? [`${file}:${index + 1}: ${line.trim()}`] : [],
      ),
);
const named = [...Object.keys(OF_THE_MACHINE), ...Object.keys(OF_ONE_ZONE)];
const gone = named.filter((file) => !globSync(file, { cwd: ROOT }).length);

for (const line of found) console.error(`reads the machine's clock: ${line}`);
for (const line of fixed) console.error(`counts the days of one zone for all companies: ${line}`);
for (const file of gone) console.error(`is named in scripts/check-clock.ts and does not exist: ${file}`);
if (found.length + fixed.length + gone.length > 0) process.exit(1);

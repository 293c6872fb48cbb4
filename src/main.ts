import { ConfigError, readConfig } from '#kit/server/config.ts';
import { isDiskFull } from './app/problems.ts';
import { runAll } from './app/run-all.ts';
import { runOperator } from './app/run-operator.ts';
import { runServe, runWorker } from './app/run-parts.ts';

/**
 * `node src/main.ts` runs everything; `serve` and `worker` run one part each against DATABASE_URL, and
 * `operator <account>` makes an operator of the product there.
 * Whatever keeps it from starting is one line on standard error and exit code 1.
 */
async function main(args: readonly string[]): Promise<void> {
  const [command = 'all', account] = args.filter((arg) => !arg.startsWith('--'));
  const config = readConfig();
  if (command === 'all') return runAll(config, { fresh: args.includes('--fresh'), yes: args.includes('--yes') });
  if (command === 'serve') return runServe(config);
  if (command === 'worker') return runWorker(config);
  if (command === 'operator') return runOperator(config, account);
  throw new ConfigError(`未知命令 ${command}，可用：（无）、serve、worker、operator`);
}

main(process.argv.slice(2)).catch((error: unknown) => {
  if (error instanceof ConfigError) console.error(error.message);
  else if (isDiskFull(error)) console.error('磁盘空间不足，无法启动：请清理磁盘后重试');
  else console.error(error);
  process.exit(1);
});

import { ConfigError, readConfig } from '#kit/server/config.ts';
import { isDiskFull } from './app/problems.ts';

/**
 * `node src/main.ts` runs everything; `serve` and `worker` run one part each against DATABASE_URL, and
 * `operator <account>` makes an operator of the product there.
 * Whatever keeps it from starting is one line on standard error and exit code 1.
 */
async function main(args: readonly string[]): Promise<void> {
  const [command = 'all', account] = args.filter((arg) => !arg.startsWith('--'));
  const config = readConfig();
  // Only now is the product read, which takes a second or two: a setting that is wrong is refused at once.
  if (command === 'all') {
    const { runAll } = await import('./app/run-all.ts');
    return runAll(config, { fresh: args.includes('--fresh'), yes: args.includes('--yes') });
  }
  if (command === 'serve') return (await import('./app/run-parts.ts')).runServe(config);
  if (command === 'worker') return (await import('./app/run-parts.ts')).runWorker(config);
  if (command === 'operator') return (await import('./app/run-operator.ts')).runOperator(config, account);
  throw new ConfigError(`未知命令 ${command}，可用：（无）、serve、worker、operator`);
}

main(process.argv.slice(2)).catch((error: unknown) => {
  if (error instanceof ConfigError) console.error(error.message);
  else if (isDiskFull(error)) console.error('磁盘空间不足，无法启动：请清理磁盘后重试');
  else console.error(error);
  process.exit(1);
});

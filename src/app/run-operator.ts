import { type Config, ConfigError } from '#kit/server/config.ts';
import { AppError } from '#kit/server/errors.ts';
import { oneTimePassword, putOperator } from '#modules/identity/server/index.ts';
import { migrated } from './database.ts';
import { openRuntime } from './runtime.ts';

/**
 * `npm start -- operator <account>` makes an operator of the product on DATABASE_URL, or gives an existing one a new
 * password; prints the password, which is kept nowhere else.
 */
export async function runOperator(config: Config, account: string | undefined): Promise<void> {
  if (!config.databaseUrl) throw new ConfigError('请设置 DATABASE_URL：运营账号建立在正式数据库上');
  if (!account) throw new ConfigError('用法：npm start -- operator <手机号或邮箱>');
  await migrated(config.databaseUrl);
  const runtime = await openRuntime(config, config.databaseUrl);
  try {
    const password = oneTimePassword();
    const { created } = await putOperator(runtime, { account, password, name: '平台运营', oneTime: true });
    process.stdout.write(`${created ? '已新增运营账号' : '已重置运营账号密码'}：${account}\n一次性密码：${password}\n`);
  } catch (error) {
    const { code, constraint } = error as { code?: unknown; constraint?: unknown };
    if (code === '23505' && constraint === 'member_account')
      throw new ConfigError(`账号 ${account} 已被某家公司使用，请换一个`);
    if (error instanceof AppError) throw new ConfigError(error.message);
    throw error;
  } finally {
    await runtime.connections.close();
  }
}

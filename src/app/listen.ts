import { createServer } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { type Config, ConfigError } from '#kit/server/config.ts';

function problemOf(error: unknown, host: string, port: number, setting: string): unknown {
  const code = (error as { code?: string }).code;
  if (code === 'EADDRINUSE') return new ConfigError(`端口 ${port} 已被占用，请用 ${setting}=其他端口 重新启动`);
  if (code === 'EACCES') return new ConfigError(`没有权限监听端口 ${port}，请换一个 ${setting}`);
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN' || code === 'EINVAL')
    return new ConfigError(`HOST=${host} 不是本机的地址，请改为 127.0.0.1 或 0.0.0.0`);
  return error;
}

/** Says early, before anything is started, that a port cannot be had. */
export async function ensureFree(host: string, port: number, setting: string): Promise<void> {
  const server = createServer();
  try {
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve));
  } catch (error) {
    throw problemOf(error, host, port, setting);
  }
  await new Promise((resolve) => server.close(resolve));
}

/** Listens on the configured address; a taken port is one line that says what to do. */
export async function listenOn(app: FastifyInstance, config: Pick<Config, 'host' | 'port'>): Promise<string> {
  try {
    return await app.listen({ host: config.host, port: config.port });
  } catch (error) {
    throw problemOf(error, config.host, config.port, 'PORT');
  }
}

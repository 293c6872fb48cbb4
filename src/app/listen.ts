import type { FastifyInstance } from 'fastify';
import { type Config, ConfigError } from '#kit/server/config.ts';

/** Listens on the configured address; a taken port is one line that says what to do. */
export async function listenOn(app: FastifyInstance, config: Pick<Config, 'host' | 'port'>): Promise<string> {
  try {
    return await app.listen({ host: config.host, port: config.port });
  } catch (error) {
    const code = (error as { code?: string }).code;
    if (code === 'EADDRINUSE') throw new ConfigError(`端口 ${config.port} 已被占用，请用 PORT=其他端口 npm start`);
    if (code === 'EACCES') throw new ConfigError(`没有权限监听端口 ${config.port}，请换一个 PORT`);
    throw error;
  }
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';

const FOLDER = join(import.meta.dirname, '../console');
const FILES = [
  { url: '/control', file: 'console.html', type: 'text/html; charset=utf-8' },
  { url: '/control/console.js', file: 'console.js', type: 'text/javascript; charset=utf-8' },
] as const;

/** The page at /control: clock, faults, meters, audit and truth by hand. Like all of /control it answers this machine only. */
export function registerConsole(server: FastifyInstance, isNear: (address: string) => boolean): void {
  for (const { url, file, type } of FILES) {
    server.get(url, async (request, reply) => {
      if (!isNear(request.ip))
        return reply.code(403).send({ message: 'The control surface answers this machine only.' });
      return reply
        .type(type)
        .header('cache-control', 'no-store')
        .send(readFileSync(join(FOLDER, file)));
    });
  }
}

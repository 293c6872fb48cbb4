import { execFileSync } from 'node:child_process';

const ASK = `
  const { createServer } = require('node:net');
  const servers = Array.from({ length: Number(process.argv[1]) }, () => createServer().listen(0, '127.0.0.1'));
  setTimeout(() => {
    console.log(JSON.stringify(servers.map((server) => server.address().port)));
    process.exit();
  }, 50);
`;

/**
 * So many ports of this machine that nobody listens on. Chosen once for a run: its workers read the same configuration
 * again and find the choice in the environment, under `name`.
 */
export function freePorts(name: string, count: number): number[] {
  process.env[name] ??= execFileSync(process.execPath, ['-e', ASK, String(count)], { encoding: 'utf8' }).trim();
  return JSON.parse(process.env[name]) as number[];
}

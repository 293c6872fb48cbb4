import { execFileSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isAlive } from '../../../src/kit/server/processes.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const CACHE = join(ROOT, 'node_modules/.cache');
const PACKAGE = '@sparticuz/chromium';

/** Unpacks the browser and the libraries that it brings along into the temporary directory of the process that runs it. */
const UNPACK = `
  const { default: chromium } = await import('${PACKAGE}');
  await chromium.executablePath();
`;

/**
 * Path of the Chromium that npm brought, unpacked once for each version of it. It is unpacked under another name and gets
 * its own when it is whole: a process that was killed meanwhile leaves nothing that another one would start.
 */
export default async function executable(): Promise<string> {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'node_modules', PACKAGE, 'package.json'), 'utf8')) as {
    version: string;
  };
  const home = join(CACHE, `chromium-${version}`);
  if (!existsSync(home)) {
    for (const name of globSync('chromium-*', { cwd: CACHE })) {
      const owner = Number(/\.(\d+)$/.exec(name)?.[1]);
      if (!name.startsWith(`chromium-${version}`) || (name !== `chromium-${version}` && !isAlive(owner)))
        rmSync(join(CACHE, name), { recursive: true, force: true });
    }
    const half = `${home}.${process.pid}`;
    mkdirSync(half, { recursive: true });
    // The package unpacks its libraries only where it believes to be on a bare machine.
    const env = { ...process.env, TMPDIR: half, AWS_LAMBDA_JS_RUNTIME: 'nodejs22.x' };
    execFileSync(process.execPath, ['--input-type=module', '-e', UNPACK], { cwd: ROOT, env });
    try {
      renameSync(half, home);
    } catch (error) {
      rmSync(half, { recursive: true, force: true });
      // Another run was faster with the same.
      if (!existsSync(home)) throw error;
    }
  }
  const libraries = join(home, 'al2023/lib');
  const known = process.env.LD_LIBRARY_PATH ?? '';
  if (!known.split(':').includes(libraries)) process.env.LD_LIBRARY_PATH = [libraries, known].filter(Boolean).join(':');
  return join(home, 'chromium');
}

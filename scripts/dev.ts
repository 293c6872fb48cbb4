// Hot reload on both sides: the server restarts when its sources change, the page is served by vite.
import { spawn } from 'node:child_process';

const WATCHED = ['src/main.ts', 'src/app', 'src/kit/server', 'src/kit/contract', 'src/modules', 'src/sandbox'];

const server = spawn(
  process.execPath,
  ['--disable-warning=ExperimentalWarning', ...WATCHED.map((path) => `--watch-path=${path}`), 'src/main.ts'],
  { stdio: 'inherit' },
);
const page = spawn(process.execPath, ['node_modules/vite/bin/vite.js'], { stdio: 'inherit' });

// The terminal sends Ctrl-C to the whole process group: the server has it already and decides when it is done.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => {
  server.kill('SIGTERM');
  page.kill('SIGTERM');
});
server.on('exit', (code) => {
  page.kill('SIGTERM');
  process.exit(code ?? 0);
});

// Hot reload on both sides: the server restarts when its sources change, the page is served by vite.
import { spawn } from 'node:child_process';

const server = spawn(
  process.execPath,
  [
    '--disable-warning=ExperimentalWarning',
    '--watch-path=src/kit/server',
    '--watch-path=src/kit/contract',
    '--watch-path=src/modules',
    '--watch-path=src/app',
    'src/main.ts',
  ],
  { stdio: 'inherit' },
);
const page = spawn(process.execPath, ['node_modules/vite/bin/vite.js'], { stdio: 'inherit' });

const stop = () => {
  server.kill('SIGINT');
  page.kill('SIGINT');
};
process.on('SIGINT', stop);
process.on('SIGTERM', stop);
server.on('exit', (code) => {
  page.kill('SIGINT');
  process.exit(code ?? 0);
});

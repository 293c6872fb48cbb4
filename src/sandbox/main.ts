import { fstatSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { isScenario, SCENARIOS } from './business/scenario.ts';
import { type Sandbox, sandboxAdsApp, sandboxApp, startSandbox } from './index.ts';
import type { Scenario } from './wire/command-log.ts';

const usage = `sandbox: --port 8081 --host 127.0.0.1 --data-dir DIR --scenario ${SCENARIOS.join('|')} --seed TEXT --rate-factor N --report-delay MIN,MAX --days N`;

function fail(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

function numberOf(name: string, value: string, least: number): number {
  const number = Number(value);
  return Number.isFinite(number) && number >= least ? number : fail(`--${name}: ${value}\n${usage}`);
}

function scenarioOf(value: string): Scenario {
  return isScenario(value) ? value : fail(`--scenario: ${value}\n${usage}`);
}

function delayOf(value: string): [number, number] {
  const [low = '', high = low] = value.split(',');
  return [numberOf('report-delay', low, 0), numberOf('report-delay', high, 0)];
}

function readArguments() {
  try {
    return parseArgs({
      options: {
        port: { type: 'string', default: '8081' },
        host: { type: 'string', default: '127.0.0.1' },
        'data-dir': { type: 'string' },
        scenario: { type: 'string', default: 'demo' },
        seed: { type: 'string', default: 'demo-1' },
        'rate-factor': { type: 'string', default: '60' },
        'report-delay': { type: 'string', default: '2000,6000' },
        days: { type: 'string', default: process.env.SANDBOX_DAYS },
      },
    }).values;
  } catch (error) {
    return fail(`${error instanceof Error ? error.message : String(error)}\n${usage}`);
  }
}

/** Call `stop` when the process that started this one is gone: nobody would be left to end the sandbox. */
function watchParent(stop: () => void): void {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) stop();
  }, 1000).unref();
  const input = fstatSync(0, { throwIfNoEntry: false });
  // Only a pipe ends with its writer; a terminal or /dev/null says nothing about the parent.
  if (!input?.isFIFO() && !input?.isSocket()) return;
  process.stdin.on('end', stop).on('close', stop).resume();
}

async function start(): Promise<Sandbox> {
  const args = readArguments();
  const { SANDBOX_APPLICATION_ID, SANDBOX_CLIENT_ID, SANDBOX_CLIENT_SECRET, SANDBOX_LOGIN_URI } = process.env;
  return startSandbox({
    port: numberOf('port', args.port, 0),
    host: args.host,
    scenario: scenarioOf(args.scenario),
    seed: args.seed,
    rateFactor: numberOf('rate-factor', args['rate-factor'], 0.001),
    reportDelayMs: delayOf(args['report-delay']),
    ...(args.days ? { historyDays: numberOf('days', args.days, 1) } : {}),
    ...(args['data-dir'] === undefined ? {} : { dataDir: args['data-dir'] }),
    apps: [
      {
        applicationId: SANDBOX_APPLICATION_ID ?? sandboxApp.applicationId,
        clientId: SANDBOX_CLIENT_ID ?? sandboxApp.clientId,
        clientSecret: SANDBOX_CLIENT_SECRET ?? sandboxApp.clientSecret,
        ...(SANDBOX_LOGIN_URI === undefined ? {} : { loginUri: SANDBOX_LOGIN_URI }),
      },
      sandboxAdsApp,
    ],
  });
}

try {
  const sandbox = await start();
  let stopping = false;
  const stop = (): void => {
    if (stopping) return;
    stopping = true;
    void sandbox.close().then(() => process.exit(0));
  };
  process.on('SIGINT', stop).on('SIGTERM', stop);
  watchParent(stop);
  process.stdout.write(`sandbox marketplace listening at ${sandbox.url}\n`);
} catch (error) {
  fail(`The sandbox marketplace could not start: ${error instanceof Error ? error.message : String(error)}`);
}

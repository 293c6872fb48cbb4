import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '..');
const CACHE = join(ROOT, 'node_modules/.cache');
const SHOWN = 10;

interface Timed {
  file: string;
  seconds: number;
}

interface VitestReport {
  testResults: { name: string; startTime: number; endTime: number }[];
}

interface PlaywrightSuite {
  file: string;
  specs?: { title: string; tests: { status: string; results: { duration: number }[] }[] }[];
  suites?: PlaywrightSuite[];
}

function read<T>(path: string): T | undefined {
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as T) : undefined;
}

const git = (...args: string[]) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim();

/** The state of the sources that a run was about; undefined outside a repository. */
function sources(): { commit: string; clean: boolean } | undefined {
  try {
    return { commit: git('rev-parse', 'HEAD'), clean: git('status', '--porcelain') === '' };
  } catch {
    return undefined;
  }
}

function specsOf(suite: PlaywrightSuite): NonNullable<PlaywrightSuite['specs']> {
  return [...(suite.specs ?? []), ...(suite.suites ?? []).flatMap(specsOf)];
}

/** What a run took, so that growth is seen: its slowest files, its total, and stories that needed a second try. */
export class Measured {
  readonly #begin = Date.now();
  readonly #vitest: string;
  readonly #playwright: string;
  readonly #out: string;

  /** `name` is the file of node_modules/.cache that keeps the figures of the last run. */
  constructor(scratch: string, name: string) {
    this.#out = join(CACHE, name);
    this.#vitest = join(scratch, 'vitest.json');
    this.#playwright = join(scratch, 'playwright.json');
  }

  /** Arguments that have vitest write down what it took. */
  get vitest(): string[] {
    return ['--reporter=default', '--reporter=json', `--outputFile.json=${this.#vitest}`];
  }

  /** Environment that has Playwright do the same. */
  get playwright(): NodeJS.ProcessEnv {
    return { PLAYWRIGHT_JSON_OUTPUT_FILE: this.#playwright };
  }

  /** Prints the slowest files, the total and whatever needed a second try, and keeps them. */
  tell(green: boolean): void {
    const stories = (read<{ suites: PlaywrightSuite[] }>(this.#playwright)?.suites ?? []).map((suite) => ({
      file: `test/browser/${suite.file}`,
      specs: specsOf(suite),
    }));
    const files: Timed[] = [
      ...(read<VitestReport>(this.#vitest)?.testResults ?? []).map(({ name, startTime, endTime }) => ({
        file: relative(ROOT, name),
        seconds: Math.round((endTime - startTime) / 100) / 10,
      })),
      ...stories.map(({ file, specs }) => {
        const ms = specs.flatMap(({ tests }) => tests).flatMap(({ results }) => results.map((one) => one.duration));
        return { file, seconds: Math.round(ms.reduce((sum, one) => sum + one, 0) / 100) / 10 };
      }),
    ];
    const flaky = stories.flatMap(({ file, specs }) =>
      specs
        .filter(({ tests }) => tests.some(({ status }) => status === 'flaky'))
        .map(({ title }) => `${file}: ${title}`),
    );
    const seconds = Math.round((Date.now() - this.#begin) / 1000);
    const slowest = files.toSorted((a, b) => b.seconds - a.seconds).slice(0, SHOWN);
    console.log('\nSlowest files');
    for (const one of slowest) console.log(`${one.seconds.toFixed(1).padStart(8)} s  ${one.file}`);
    for (const title of flaky) console.log(`needed a second try: ${title}`);
    console.log(`${green ? 'green' : 'red'} after ${Math.floor(seconds / 60)} min ${seconds % 60} s`);
    mkdirSync(CACHE, { recursive: true });
    writeFileSync(this.#out, `${JSON.stringify({ ...sources(), green, seconds, slowest, flaky }, null, 2)}\n`);
  }
}

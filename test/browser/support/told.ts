import { readFileSync } from 'node:fs';
import type { Reporter, TestCase, TestResult } from '@playwright/test/reporter';

/** Most lines of a page that are printed. */
const LINES = 160;

/** Prints what stood on the page when a story failed: where only the output is kept, the cause must be read from it. */
export default class Told implements Reporter {
  onTestEnd(test: TestCase, { attachments, retry, status }: TestResult): void {
    if (status === test.expectedStatus || status === 'skipped') return;
    const path = attachments.find(({ name }) => name === 'error-context')?.path;
    if (!path) return;
    const [, page] = readFileSync(path, 'utf8').split('# Page snapshot');
    if (page === undefined) return;
    const lines = page.trim().split('\n').slice(0, LINES).join('\n');
    process.stdout.write(`\nWhat stood on the page, ${test.title} (try ${retry + 1}):\n${lines}\n\n`);
  }
}

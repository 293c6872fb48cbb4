import { join, resolve } from 'node:path';

/**
 * Where real files of real sellers lie: CORPUS_DIR, else `shared/data` beside the checkout. They may be read there and
 * never copied, so they are not in the repository; whoever has none skips the tests that read them.
 */
export const CORPUS: string = resolve(process.env.CORPUS_DIR ?? join(import.meta.dirname, '../../../shared/data'));

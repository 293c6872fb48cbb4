import { refusals } from '#kit/server/db/refusals.ts';

const refusalOf = refusals({
  GL001: 'B2701',
  GL002: 'B2702',
  GL003: 'B2703',
  GL004: 'B2704',
  GL005: 'B2705',
  GL006: 'B2706',
  GL007: 'B2707',
  GL008: 'B2708',
});

/** Runs what writes the books; what the ledger refuses becomes an answer that a person may read. @throws refused B2701 to B2708 */
export async function kept<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw refusalOf(error);
  }
}

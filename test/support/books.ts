import type { Book } from '#modules/listing/server/rivals/book.ts';
import { landBooks } from '#modules/listing/server/rivals/land.ts';
import type { Person, World } from './world.ts';

/** Takes over what somebody's account read of offers, as the stream of offers does. */
export async function landOffers(
  world: World,
  person: Person,
  accountId: string,
  books: readonly Book[],
): Promise<void> {
  await world.as(person, (ctx) => landBooks(ctx, accountId, 'poll', books));
}

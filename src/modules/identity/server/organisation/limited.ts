import { type Ctx, can } from '#kit/server/context.ts';
import { granted } from '../data-scope.ts';
import { rightsOfCaller } from './limits.ts';

/** What a page asks before it offers a choice: whose rows, which stores, how much of the home page. */
export type LimitedIn = 'owner' | 'operations' | 'home';

/** With it the home page shows figures; without it notices, things to do and help. */
const HOME = 'dash:home:view';

/**
 * Whether the caller reaches only part: `owner` of the people in charge (he sees his own or his department's rows),
 * `operations` of the stores, `home` of the home page.
 */
export async function isLimited(ctx: Ctx, type: LimitedIn): Promise<boolean> {
  if (type === 'home') return !can(ctx, HOME);
  const rights = await rightsOfCaller(ctx);
  return granted(rights, type === 'owner' ? 'owner' : 'store', 'login') !== null;
}

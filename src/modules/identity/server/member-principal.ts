import type { Ctx, Principal } from '#kit/server/context.ts';
import { addressesOf } from './addresses.ts';
import { dataScopes, rightsOf } from './data-scope.ts';

/**
 * A member of the caller's company as he may act now, for work that is done for him while he is away: his permissions, and the data
 * scope that each gives him. Undefined for somebody who left or was disabled. Needs a transaction of the whole company.
 */
export async function memberPrincipal(ctx: Ctx, memberId: string): Promise<Principal | undefined> {
  const [member] = await addressesOf(ctx, [memberId]);
  if (!member) return undefined;
  const rights = await rightsOf(ctx, memberId);
  return {
    sessionId: null,
    companyId: ctx.companyId,
    userId: memberId,
    userName: member.name,
    permissions: new Set(rights.roles.flatMap((role) => [...role.codes])),
    scopeWith: await dataScopes(ctx, rights),
  };
}

import { emit, event } from '#kit/server/events.ts';
import { inTenant, type Runtime, systemPrincipal } from '#kit/server/runtime.ts';
import type { LoginMember } from './members.ts';

/** Failures in a row after which the owners of the company are told. */
const TELL_AT = 10;

/** Somebody keeps failing to log in as a member. */
export const loginFailures = event<{ memberId: string; account: string; failures: number; ip: string }>(
  'identity.loginFailures',
);

/**
 * Tells the company of a member once the tenth failure in a row has happened. Not waited for by the log-in, whose
 * answer takes as long for accounts that nobody has.
 */
export function tellOfFailures(
  runtime: Runtime,
  member: Pick<LoginMember, 'company_id' | 'id'> | undefined,
  account: string,
  failures: number,
  ip: string,
): void {
  if (!member || failures !== TELL_AT) return;
  inTenant(runtime, systemPrincipal(member.company_id), (ctx) =>
    emit(ctx, loginFailures, { memberId: member.id, account, failures, ip }),
  ).catch((error: unknown) => runtime.log.warn({ err: error }, 'nobody was told of failed log-ins'));
}

import { sql } from 'kysely';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { Db } from '#kit/server/db/database.ts';
import type { Runtime } from '#kit/server/runtime.ts';
import { inSystem, inTenant, systemPrincipal } from '#kit/server/runtime.ts';
import { type LoginMember, memberById } from '../members.ts';
import { oneTimePassword } from '../organisation/people/one-time.ts';
import { insertPeople } from '../organisation/people/save.ts';
import { admit, hashPassword } from '../password.ts';
import type { SsoPerson } from './person.ts';
import { SsoProblem } from './problem.ts';
import { ssoOf } from './provider.ts';

const PROVIDER = 'oidc';

/** Subjects are unique within their issuer only. */
export function unionIdOf(person: Pick<SsoPerson, 'issuer' | 'sub'>): string {
  return `${person.issuer}|${person.sub}`;
}

type Who = { company_id: string; id: string };

/** Whom a person of the provider stands for, departed members included. */
async function linked(db: Db, person: SsoPerson): Promise<(Who & { gone: boolean }) | undefined> {
  const { rows } = await sql<Who & { gone: boolean }>`
    UPDATE identity.external_identity e SET last_used_at = kit.now() FROM identity.member m
     WHERE e.provider = ${PROVIDER} AND e.union_id = ${unionIdOf(person)}
       AND m.company_id = e.company_id AND m.id = e.member_id
    RETURNING e.company_id, e.member_id AS id, m.deleted_at IS NOT NULL AS gone`.execute(db);
  return rows[0];
}

interface Home {
  company_id: string;
  role_id: string | null;
  active: boolean;
}

/** The company whose people have addresses of this domain. */
async function homeOf(db: Db, email: string): Promise<Home | undefined> {
  const { rows } = await sql<Home>`
    SELECT d.company_id, d.role_id, c.status = 'active' AS active
      FROM identity.sso_domain d JOIN identity.company c USING (company_id)
     WHERE d.domain = ${email.slice(email.lastIndexOf('@') + 1)}`.execute(db);
  return rows[0];
}

/** The member with this address as his account, or else the only one who proved that it is his. */
async function withEmail(db: Db, email: string): Promise<Who | undefined> {
  const { rows } = await sql<Who & { own: boolean }>`
    SELECT company_id, id, account = ${email} AS own FROM identity.member
     WHERE deleted_at IS NULL AND (account = ${email} OR (lower(email) = ${email} AND email_verified))
     ORDER BY (account = ${email}) DESC LIMIT 2`.execute(db);
  if (rows.length > 1 && !rows[0]?.own) throw new SsoProblem('ambiguous');
  return rows[0];
}

/** Somebody else of the same provider has this account: addresses are given to new people when old ones leave. */
async function refuseTaken(db: Db, who: Who, person: SsoPerson): Promise<void> {
  const { rows } = await sql`
    SELECT FROM identity.external_identity WHERE company_id = ${who.company_id} AND member_id = ${who.id}
       AND provider = ${PROVIDER} AND starts_with(union_id, ${`${person.issuer}|`})`.execute(db);
  if (rows.length > 0) throw new SsoProblem('taken');
}

async function link(ctx: Ctx, memberId: string, person: SsoPerson): Promise<void> {
  await ctx.db
    .insertInto('identity.external_identity')
    .values({
      company_id: ctx.companyId,
      member_id: memberId,
      provider: PROVIDER,
      open_id: person.sub,
      union_id: unionIdOf(person),
      nickname: person.name ?? null,
      last_used_at: sql`kit.now()`,
    })
    .execute();
  const after = { issuer: person.issuer, sub: person.sub, email: person.email };
  await audit(ctx, { action: '关联单点登录身份', resource: 'identity.sso', resourceId: memberId, after });
}

/** A departed member's link makes way for the one that comes now. */
async function unlinkGone(db: Db, person: SsoPerson): Promise<void> {
  await sql`
    DELETE FROM identity.external_identity e USING identity.member m
     WHERE e.provider = ${PROVIDER} AND e.union_id = ${unionIdOf(person)}
       AND m.company_id = e.company_id AND m.id = e.member_id AND m.deleted_at IS NOT NULL`.execute(db);
}

const asSystem = (companyId: string) => systemPrincipal(companyId, '单点登录');

/** Makes an account for somebody who comes for the first time. His password is known to nobody. */
async function provision(runtime: Runtime, home: Home, email: string, person: SsoPerson): Promise<Who> {
  const passwordHash = await admit(() => hashPassword(oneTimePassword(), runtime.secrets.pepper));
  const id = await inTenant(runtime, asSystem(home.company_id), async (ctx) => {
    const name = person.name ?? email.slice(0, email.indexOf('@'));
    const roleIds = home.role_id ? [home.role_id] : [];
    const [added] = await insertPeople(ctx, [{ account: email, name, email, passwordHash, roleIds }]);
    await ctx.db
      .updateTable('identity.member')
      .set({ email_verified: true })
      .where('company_id', '=', ctx.companyId)
      .where('id', '=', added ?? '')
      .execute();
    await link(ctx, added ?? '', person);
    return added ?? '';
  });
  return { company_id: home.company_id, id };
}

async function firstTime(runtime: Runtime, person: SsoPerson, gone: boolean): Promise<Who> {
  const { email } = person;
  if (!email) throw new SsoProblem('unverified');
  const { home, found } = await inSystem(runtime, async (db) => {
    const who = await withEmail(db, email);
    if (who) await refuseTaken(db, who, person);
    return { home: await homeOf(db, email), found: who };
  });
  // Anybody may enter a stranger's address as an account of his own company; it must not catch the stranger.
  if (found && home && home.company_id !== found.company_id) throw new SsoProblem('elsewhere');
  if (!found && gone) throw new SsoProblem('removed');
  if (!found && !(home?.active && ssoOf(runtime).provision)) throw new SsoProblem('unknown');
  if (gone) await inSystem(runtime, (db) => unlinkGone(db, person));
  if (found) {
    await inTenant(runtime, asSystem(found.company_id), (ctx) => link(ctx, found.id, person));
    return found;
  }
  if (!home) throw new SsoProblem('unknown');
  return provision(runtime, home, email, person);
}

/** Two first log-ins at once: the second finds what the first wrote. */
function cameSecond(error: unknown): boolean {
  const { code, data } = error as { code?: unknown; data?: { code?: unknown } | null };
  return code === '23505' || data?.code === 'B0161';
}

function asProblem(error: unknown): unknown {
  return (error as { data?: { code?: unknown } | null }).data?.code === 'B0164' ? new SsoProblem('full', error) : error;
}

/**
 * The account of a person of the provider: the one he is linked to, else that with his verified e-mail, else a new one
 * where the settings and his domain allow it. @throws SsoProblem
 */
export async function memberFor(runtime: Runtime, person: SsoPerson, again = false): Promise<LoginMember> {
  const known = await inSystem(runtime, (db) => linked(db, person));
  const who =
    known && !known.gone
      ? known
      : await firstTime(runtime, person, known !== undefined).catch((error: unknown) => {
          if (!again && cameSecond(error)) return undefined;
          throw asProblem(error);
        });
  if (!who) return memberFor(runtime, person, true);
  const member = await inSystem(runtime, (db) => memberById(db, who.company_id, who.id));
  if (!member) throw new SsoProblem('removed');
  return member;
}

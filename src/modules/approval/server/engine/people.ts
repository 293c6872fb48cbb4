import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { type Chart, chartOf, reachOfMembers } from '#modules/identity/server/index.ts';
import type { Setting } from '../../contract/config.ts';
import { type Definition, nodesIn } from '../../contract/flow.ts';
import { type Case, type Delegation, type World, worldIn } from '../core/people.ts';

async function delegations(ctx: Ctx): Promise<Delegation[]> {
  const { rows } = await sql<Delegation>`
    SELECT from_id AS "from", to_id AS "to", doc_types AS types, amount_max AS max FROM approval.delegation
     WHERE company_id = ${ctx.companyId} AND revoked_at IS NULL AND starts_at <= kit.now() AND ends_at > kit.now()
     ORDER BY id DESC`.execute(ctx.db);
  return rows;
}

/** Roles whose members are asked only where their data rights cover the document. */
function limitedRoles({ steps }: Definition): Set<string> {
  const sources = nodesIn(steps).flatMap((node) => ('who' in node ? node.who : []));
  return new Set(sources.flatMap((source) => (source.from === 'roles' && source.within ? source.ids : [])));
}

/**
 * Who is covered by data rights: of a document that belongs to shops or warehouses, whoever reaches all of them; of
 * another one, whoever works in a department of its maker or above that.
 */
async function coverage(
  ctx: Ctx,
  chart: Chart,
  definition: Definition,
  of: Case,
): Promise<(member: string) => boolean> {
  const members = [...limitedRoles(definition)].flatMap((role) => chart.roles.get(role) ?? []);
  if (members.length === 0) return () => true;
  const places = { store: of.vars.scopeStores, warehouse: of.vars.scopeWarehouses };
  const named = Object.entries(places).flatMap(([kind, ids]) =>
    Array.isArray(ids) ? (ids as readonly string[]).map((id) => ({ kind, id })) : [],
  );
  if (named.length === 0) {
    const { department } = of.vars;
    const above = new Set(Array.isArray(department) ? (department as readonly string[]) : []);
    return (member) => above.has(chart.members.get(member)?.department ?? '');
  }
  const reaches = await reachOfMembers(ctx, [...new Set(members)]);
  return (member) => {
    const reach = reaches.get(member);
    return reach === undefined || named.every(({ kind, id }) => reach[kind] === null || reach[kind]?.includes(id));
  };
}

/** What the interpreter asks of the company, read once for an act. */
export async function worldOf(ctx: Ctx, definition: Definition, setting: Setting, of: Case): Promise<World> {
  const chart = await chartOf(ctx);
  const covers = await coverage(ctx, chart, definition, of);
  return worldIn({ chart, delegations: await delegations(ctx), covers }, definition, setting, of);
}

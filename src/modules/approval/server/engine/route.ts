import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import type { Definition } from '../../contract/flow.ts';
import type { Submission } from './start.ts';

export interface Routed {
  id: string;
  no: number;
  name: string;
  definition: Definition;
}

interface Candidate extends Routed {
  scope: 'company' | 'department' | 'store' | 'warehouse';
  ids: string[];
}

const NARROWEST: readonly Candidate['scope'][] = ['warehouse', 'store', 'department', 'company'];

function fits({ scope, ids }: Candidate, { subject, vars }: Submission): boolean {
  if (scope === 'company') return true;
  const own = { warehouse: subject.warehouses, store: subject.stores, department: vars.department }[scope];
  return Array.isArray(own) && own.some((id) => ids.includes(id));
}

/** The published flow for a document: the narrowest scope that fits it, then the higher priority, then the older one. */
export async function pickFlow(ctx: Ctx, docType: string, submission: Submission): Promise<Routed | undefined> {
  const { rows } = await sql<Candidate>`
    SELECT f.id, v.no, f.name, f.scope, f.scope_ids AS ids, v.definition
      FROM approval.flow AS f
      JOIN approval.flow_version AS v ON v.company_id = f.company_id AND v.flow_id = f.id AND v.no = f.published_no
     WHERE f.company_id = ${ctx.companyId} AND f.doc_type = ${docType} AND f.state = 'published'
     ORDER BY f.priority DESC, f.id`.execute(ctx.db);
  for (const scope of NARROWEST) {
    const found = rows.find((row) => row.scope === scope && fits(row, submission));
    if (found) return found;
  }
  return undefined;
}

import { sql } from 'kysely';
import type { ApprovalValue } from '#kit/server/approval.ts';
import type { Ctx } from '#kit/server/context.ts';
import { can } from '#kit/server/context.ts';
import { forbidden, notFound } from '#kit/server/errors.ts';
import { branchesOf, type Definition, type FlowNode } from '../../contract/flow.ts';
import { holds, type Vars } from '../core/condition.ts';
import { reaches } from '../desk/involved.ts';
import { pathOf } from '../desk/path.ts';
import { worldOf } from '../engine/people.ts';
import { choicesOf, submissionOf } from '../engine/start.ts';
import { kindOf } from '../kinds.ts';
import { settingOf } from '../setting.ts';
import { kindViews } from './around.ts';

/** Nodes that a document passes, those that only decide the way as well. */
function passed(steps: readonly FlowNode[], vars: Vars): string[] {
  return steps.flatMap((node) => {
    if (node.type !== 'branch') return [node.key, ...branchesOf(node).flatMap((branch) => passed(branch.steps, vars))];
    const slot = node.cases.findIndex(({ when }) => when === null || holds(when, vars));
    return [node.key, `${node.key}:${slot}`, ...passed(node.cases[slot]?.steps ?? [], vars)];
  });
}

function shown(value: ApprovalValue, options: readonly { value: string; title: string }[]): string {
  const list = Array.isArray(value) ? value : [value];
  return list
    .map((one) => options.find((option) => option.value === String(one))?.title ?? String(one ?? '—'))
    .join('、');
}

/** At most so many documents are offered. */
const OFFERED = 10;
/** At most so many are looked at for them: somebody may reach few of a company's documents. */
const LOOKED_AT = 50;

/** Documents of a kind that the caller reaches, the newest first. @throws forbidden without the right to see the kind */
export async function documentsOf(ctx: Ctx, { docType, keyword }: { docType: string; keyword: string }) {
  const kind = kindOf(ctx.runtime, docType);
  if (!can(ctx, kind.view)) throw forbidden(kind.view);
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM ${sql.table(kind.table)}
     WHERE company_id = ${ctx.companyId} AND strpos(number, ${keyword}) > 0 ORDER BY id DESC LIMIT ${LOOKED_AT}`.execute(
    ctx.db,
  );
  const found: { number: string; summary: string }[] = [];
  for (const { id } of rows) {
    if (found.length === OFFERED) break;
    if (!(await reaches(ctx, kind, id))) continue;
    const { number, summary } = await kind.subject(ctx, id);
    found.push({ number, summary });
  }
  return found;
}

interface Wanted {
  docType: string;
  number: string;
  initiator: string | null;
  definition: Definition;
}

/** How a document that exists would go through a definition; it is read within the caller's rights and nothing is written. */
export async function simulate(ctx: Ctx, { docType, number, initiator, definition }: Wanted) {
  const kind = kindOf(ctx.runtime, docType);
  if (!can(ctx, kind.view)) throw forbidden(kind.view);
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM ${sql.table(kind.table)} WHERE company_id = ${ctx.companyId} AND number = ${number}`.execute(ctx.db);
  const docId = rows[0]?.id;
  if (docId === undefined) throw notFound(`没有找到单据 ${number}`);
  const submission = await submissionOf(ctx, kind, docId, initiator ?? ctx.userId);
  const { subject, amountBase, vars } = submission;
  const world = await worldOf(ctx, definition, await settingOf(ctx, docType), {
    docType,
    initiator: submission.initiator,
    amountBase,
    vars,
    people: subject.people ?? {},
    chosen: await choicesOf(ctx, docType, docId),
  });
  const fields = (await kindViews(ctx)).find((view) => view.docType === docType)?.fields ?? [];
  const hidden = kind.amountPermission !== undefined && !can(ctx, kind.amountPermission);
  return {
    number: subject.number,
    summary: subject.summary,
    vars: fields
      .filter((field) => !(hidden && field.kind === 'money'))
      .map(({ key, title, options }) => ({ title, value: shown(vars[key] ?? null, options) })),
    path: pathOf(definition.steps, world, undefined),
    keys: passed(definition.steps, vars),
  };
}

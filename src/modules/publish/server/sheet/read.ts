import type { Ctx } from '#kit/server/context.ts';
import { refused } from '#kit/server/errors.ts';
import { readSheets, type Sheet } from '#kit/server/excel/read.ts';
import { readOrRefuse, uploadedBytes } from '#kit/server/excel/uploaded.ts';
import type { OpenCtx } from '#kit/server/http/serve.ts';
import { inTenant } from '#kit/server/runtime.ts';
import { OPEN_STATES } from '../../contract/draft.ts';
import type { Attributes, FormModel } from '../../contract/form.ts';
import { MOST_AT_ONCE } from '../../contract/many.ts';
import { storedForm } from '../definition.ts';
import { save } from '../draft/change.ts';
import { type Draft, formKey } from '../draft/row.ts';
import { type Cell, cellAt, meantBy, textIn, withValue } from './cells.ts';
import { HEADS } from './write.ts';

interface Problem {
  line: number;
  column: string;
  value: string;
  reason: string;
}

interface Taken {
  rows: number;
  changed: number;
  cells: number;
  written: boolean;
  problems: Problem[];
}

/** A row of a sheet with what its columns are. */
interface Row {
  line: number;
  sheet: string;
  codes: readonly string[];
  texts: readonly string[];
}

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
/** Two rows of heads stand above the first. */
const HEAD_ROWS = 2;

function rowsOf({ title, rows }: Sheet): Row[] {
  const [, codes = [], ...data] = rows.map((row) => row.map(({ text }) => text.trim()));
  if (codes[0] !== HEADS[0].code) return [];
  return data
    .map((texts, n) => ({ line: n + HEAD_ROWS + 1, sheet: title, codes, texts }))
    .filter(({ texts }) => texts.some((text) => text !== ''));
}

async function draftsIn(ctx: Ctx, rows: readonly Row[]): Promise<ReadonlyMap<string, Draft>> {
  const ids = rows.flatMap(({ texts: [id = ''] }) => (ID.test(id) ? [id] : []));
  if (ids.length === 0) return new Map();
  const found = await ctx.db
    .selectFrom('publish.draft')
    .selectAll()
    .where('company_id', '=', ctx.companyId)
    .where('id', 'in', ids)
    .execute();
  return new Map((found as unknown as Draft[]).map((draft) => [draft.id, draft]));
}

function unfit(draft: Draft | undefined, { texts }: Row, seen: ReadonlySet<string>): [number, string] | undefined {
  if (!draft) return [0, '草稿不存在，请重新导出批量编辑表'];
  if (seen.has(draft.id)) return [0, '与前面的行是同一份草稿'];
  if (String(draft.version) !== texts[1]) return [1, '草稿在导出后已被修改，请重新导出批量编辑表'];
  if (!OPEN_STATES.includes(draft.state)) return [0, '草稿已提交，不能修改'];
  if (draft.seller_sku !== texts[2]) return [2, `草稿的平台SKU是 ${draft.seller_sku}`];
  return undefined;
}

/** Cells of a form by code, each looked up once. */
class Columns {
  readonly #form: FormModel;
  readonly #known = new Map<string, Cell | string>();
  constructor(form: FormModel) {
    this.#form = form;
  }
  at(code: string): Cell | string {
    const known = this.#known.get(code) ?? cellAt(this.#form, code);
    this.#known.set(code, known);
    return known;
  }
}

type Told = (column: number, reason: string) => void;

/** Attributes of a draft after a row, and how many cells changed; problems are told by column. */
function applied(
  draft: Draft,
  { codes, texts }: Row,
  columns: Columns,
  tell: Told,
): { next: Attributes; cells: number } {
  let next = draft.attributes;
  let cells = 0;
  for (const [n, code] of codes.entries()) {
    if (n < HEADS.length || code === '') continue;
    const cell = columns.at(code);
    const text = texts[n] ?? '';
    if (typeof cell === 'string') {
      if (text !== '') tell(n, cell);
      continue;
    }
    const { name, locked } = cell.attribute;
    if (textIn(cell, next[name]) === text) continue;
    if (locked !== undefined) {
      tell(n, locked);
      continue;
    }
    const found = text === '' ? { value: undefined } : meantBy(cell.node, text);
    if (typeof found === 'string') {
      tell(n, found);
      continue;
    }
    next = { ...next, [name]: withValue(cell, next[name], found.value) };
    cells += 1;
  }
  return { next, cells };
}

interface Change {
  draft: Draft;
  next: Attributes;
}

async function changesOf(ctx: Ctx, sheets: readonly Sheet[]): Promise<{ taken: Taken; changes: Change[] }> {
  const rows = sheets.flatMap(rowsOf);
  if (rows.length === 0) throw refused('文件里没有批量编辑表的行，请在「商品刊登」勾选草稿后导出', 'B0771');
  if (rows.length > MOST_AT_ONCE) throw refused(`一次最多导入 ${MOST_AT_ONCE} 行`, 'B0771');
  const drafts = await draftsIn(ctx, rows);
  const forms = new Map<string, Columns>();
  const seen = new Set<string>();
  const changes: Change[] = [];
  const taken: Taken = { rows: rows.length, changed: 0, cells: 0, written: false, problems: [] };
  for (const row of rows) {
    const draft = drafts.get(row.texts[0] ?? '');
    const labels = sheets.find(({ title }) => title === row.sheet)?.rows[0] ?? [];
    const tell: Told = (column, reason) => {
      const label = labels[column]?.text ?? row.codes[column] ?? '';
      taken.problems.push({
        line: row.line,
        column: `${row.sheet} · ${label}`,
        value: row.texts[column] ?? '',
        reason,
      });
    };
    const why = unfit(draft, row, seen);
    if (why) tell(...why);
    if (why || !draft) continue;
    seen.add(draft.id);
    const key = formKey(draft);
    const columns = forms.get(key) ?? new Columns(await storedForm(ctx, draft));
    forms.set(key, columns);
    const { next, cells } = applied(draft, row, columns, tell);
    if (cells > 0) changes.push({ draft, next });
    taken.cells += cells;
  }
  taken.changed = changes.length;
  return { taken, changes };
}

/**
 * What a filled-in 批量编辑表 changes, written where that is asked for and nothing in it is wrong.
 * @throws refused B0771 for a file without rows, B0933 for one that cannot be read
 */
export async function takeDraftSheet(open: OpenCtx, { write }: { write: 'no' | 'yes' }): Promise<Taken> {
  const { bytes } = await uploadedBytes(open);
  const sheets = await readOrRefuse(readSheets(bytes));
  const { runtime, principal, requestId, ip } = open;
  return inTenant(
    runtime,
    principal,
    async (ctx) => {
      const { taken, changes } = await changesOf(ctx, sheets);
      // A check alone leaves no trace.
      ctx.audited = true;
      if (write === 'no' || taken.problems.length > 0) return taken;
      for (const { draft, next } of changes)
        await save(ctx, { id: draft.id, version: draft.version, attributes: next });
      return { ...taken, written: true };
    },
    { requestId, ip },
  );
}

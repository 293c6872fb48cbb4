import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { readSheets } from '#kit/server/excel/read.ts';
import { writeWorkbook } from '#kit/server/excel/workbook.ts';
import { listAllMessageByUserId } from '#modules/message/contract/messages.ts';
import { PATIENCE_MS } from '#test/support/patience.ts';
import { uploadAs } from '#test/support/upload.ts';
import type { Person } from '#test/support/world.ts';
import { draftDetail, EDIT, listDrafts, SUBMIT, saveDraft, submitDraft } from '../contract/draft.ts';
import { draftSheet, editMany, scheduleDraft, submitMany, takeSheet } from '../contract/many.ts';
import { inSellerCentral, openShop, type Shop, text, untilState, untilTask } from './support.ts';

let shop: Shop;
/** Drafts of the first listings, by SKU. */
const ids = new Map<string, string>();

beforeAll(async () => {
  shop = await openShop();
  await inSellerCentral(shop, { action: 'settings', delayMs: [0, 100] });
});
afterAll(() => shop.world.close());

const skuAt = (index: number) => shop.listings[index]?.sellerSku ?? '';
const detailAt = (index: number) => shop.owner.call(draftDetail, { params: { id: ids.get(skuAt(index)) ?? '' } });
const titleIn = (attributes: Readonly<Record<string, readonly object[]>>) =>
  Reflect.get(attributes.item_name?.[0] ?? {}, 'value');

type Rows = string[][];
/** The sheets of the drafts, as text; the last one is the notes. */
async function exported(wanted: readonly string[]): Promise<{ title: string; rows: Rows }[]> {
  const file = await shop.owner.send(draftSheet, { body: { ids: [...wanted] } });
  const sheets = await readSheets(file.raw);
  return sheets.map(({ title, rows }) => ({ title, rows: rows.map((row) => row.map((cell) => cell.text)) }));
}
async function taken(sheets: { title: string; rows: Rows }[], write: 'no' | 'yes', who: Person = shop.owner) {
  const file = { name: '批量编辑表.xlsx', bytes: await writeWorkbook(sheets) };
  const { data, msg } = await uploadAs(shop.world, who, takeSheet, { write }, file);
  if (!data) throw new Error(msg);
  return data;
}

/** Puts a text into the cell of a draft's row under a code. */
function put(sheets: { rows: Rows }[], sku: string, code: string, value: string): void {
  for (const { rows } of sheets) {
    const column = rows[1]?.indexOf(code) ?? -1;
    const row = rows.find((cells) => cells[2] === sku);
    if (row && column >= 0) row[column] = value;
  }
}

describe('批量编辑', () => {
  it('drafts for many listings are begun in the background, those that are open are taken up', async () => {
    const listingIds = shop.listings.slice(0, 4).map(({ id }) => id);
    for (let round = 0; round < 2; round += 1) {
      const { taskId } = await shop.owner.call(editMany, { body: { listingIds } });
      expect(await untilTask(shop, taskId)).toBe('已建立草稿 4 个');
      const { records } = await shop.owner.call(listDrafts, { body: { pagesize: 50, filter: {} } });
      expect(records).toHaveLength(4);
      for (const { id, product } of records) ids.set(product.code, id);
    }
    const thief = await shop.world.owner('别家');
    expect((await thief.send(editMany, { body: { listingIds } })).code).toBe(404);
  });

  it('a sheet has their attributes as columns, and changes only what was changed in it', async () => {
    const wanted = [0, 1, 2].map((n) => ids.get(skuAt(n)) ?? '');
    const sheets = await exported(wanted);
    expect(sheets.at(-1)?.title).toBe('说明');
    expect(
      sheets
        .slice(0, -1)
        .flatMap(({ rows }) => rows.slice(2))
        .map((row) => row[2])
        .sort(),
    ).toEqual([0, 1, 2].map(skuAt).sort());
    const codes = sheets[0]?.rows[1] ?? [];
    expect(codes).toContain('item_name[0].value');
    // Price and stock have their own way.
    expect(codes.filter((code) => /purchasable_offer|fulfillment_availability/.test(code))).toEqual([]);
    expect(await taken(sheets, 'yes')).toMatchObject({ rows: 3, changed: 0, cells: 0, problems: [] });

    put(sheets, skuAt(0), 'item_name[0].value', 'A bottle from a sheet');
    put(sheets, skuAt(0), 'bullet_point[2].value', 'Third point');
    put(sheets, skuAt(1), 'bullet_point[1].value', '');
    const before = await detailAt(1);
    expect(await taken(sheets, 'no')).toMatchObject({ changed: 2, cells: 3, written: false, problems: [] });
    expect(titleIn((await detailAt(0)).attributes)).not.toBe('A bottle from a sheet');
    expect(await taken(sheets, 'yes')).toMatchObject({ changed: 2, cells: 3, written: true, problems: [] });
    const first = await detailAt(0);
    expect(first.diff.map(({ attribute }) => attribute).sort()).toEqual(['bullet_point', 'item_name']);
    expect(titleIn(first.attributes)).toBe('A bottle from a sheet');
    expect(first.attributes.bullet_point).toHaveLength(3);
    const second = await detailAt(1);
    expect(second.attributes.bullet_point).toHaveLength((before.attributes.bullet_point?.length ?? 0) - 1);
    expect((await detailAt(2)).diff).toEqual([]);
  });

  it('a wrong cell, an old version and a stranger’s draft are told by line and column, and nothing is written', async () => {
    const stale = await exported([ids.get(skuAt(0)) ?? '']);
    put(stale, skuAt(0), 'item_name[0].value', 'Too late');
    const { id, version, attributes } = await detailAt(0);
    await shop.owner.call(saveDraft, { body: { id, version, attributes: { ...attributes, color: [text('Teal')] } } });
    const sheets = await exported([id, ids.get(skuAt(1)) ?? '']);
    put(sheets, skuAt(0), 'item_name[0].value', 'x'.repeat(2_001));
    put(sheets, skuAt(1), 'item_name[0].value', 'Nothing of this');
    const { problems, written } = await taken(sheets, 'yes');
    expect(written).toBe(false);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatchObject({
      column: expect.stringContaining('商品名称'),
      reason: expect.stringMatching(/^最多 \d+ 个字符/),
    });
    expect(titleIn((await detailAt(1)).attributes)).not.toBe('Nothing of this');
    expect((await taken(stale, 'yes')).problems).toEqual([
      expect.objectContaining({ line: 3, reason: '草稿在导出后已被修改，请重新导出批量编辑表' }),
    ]);
    const thief = await shop.world.owner('再一家');
    const theirs = await taken(stale, 'yes', thief);
    expect(theirs.problems.map(({ reason }) => reason)).toEqual(['草稿不存在，请重新导出批量编辑表']);
    expect((await thief.send(draftSheet, { body: { ids: [id] } })).code).toBe(404);
  });
});

it('many drafts are handed in at once; one that cannot go says why and keeps none from it', async () => {
  const drafts = await Promise.all([0, 1, 2].map(detailAt));
  const { taskId } = await shop.owner.call(submitMany, {
    body: { drafts: drafts.map(({ id, version }) => ({ id, version })) },
  });
  // The third was not changed.
  expect(await untilTask(shop, taskId)).toBe(`已提交 2 个，1 个未成功：${skuAt(2)}：没有修改任何属性，无需提交`);
  for (const { id } of drafts.slice(0, 2)) await untilState(shop.owner, id, 'live');
  const again = await shop.owner.send(submitMany, { body: { drafts: [{ id: drafts[0]?.id ?? '', version: 1 }] } });
  expect(again).toMatchObject({ code: 409, msg: expect.stringContaining('请刷新后重试') });
});

describe('定时提交', () => {
  const changed = async (index: number, title: string) => {
    const { id, version, attributes } = await detailAt(index);
    await shop.owner.call(saveDraft, {
      body: { id, version, attributes: { ...attributes, item_name: [text(title)] } },
    });
    return detailAt(index);
  };
  /** By the product's clock, so many milliseconds from now. */
  const soon = (ms: number) => new Date(shop.world.clock.now().getTime() + ms).toISOString();

  it('a draft goes by itself when its time has come, and not if that was taken back', async () => {
    const goes = await changed(2, 'On time');
    const stays = await changed(3, 'Not at all');
    const past = await shop.owner.send(scheduleDraft, {
      body: { id: goes.id, version: goes.version, at: soon(-60_000) },
    });
    expect(past).toMatchObject({ code: 400, msg: '提交时间必须晚于现在' });
    const at = soon(4_000);
    const planned = await shop.owner.call(scheduleDraft, { body: { id: stays.id, version: stays.version, at } });
    await shop.owner.call(scheduleDraft, { body: { ...planned, at: null } });
    await shop.owner.call(scheduleDraft, { body: { id: goes.id, version: goes.version, at } });
    expect((await detailAt(2)).submitAt).toBe(at);
    const live = await untilState(shop.owner, goes.id, 'live');
    expect(live.submitAt).toBeNull();
    expect(Date.parse(live.submittedAt ?? '')).toBeGreaterThanOrEqual(Date.parse(at));
    expect(await detailAt(3)).toMatchObject({ state: 'draft', submitAt: null, submittedAt: null });
  });

  it('what Seller Central changed meanwhile is not overwritten then either, and the draft says so', async () => {
    const draft = await changed(3, 'Mine');
    await inSellerCentral(shop, { action: 'change', sku: skuAt(3), attributes: { item_name: [text('Theirs')] } });
    await shop.owner.call(scheduleDraft, { body: { id: draft.id, version: draft.version, at: soon(2_000) } });
    await vi.waitFor(
      async () =>
        expect(await detailAt(3)).toMatchObject({
          state: 'draft',
          submitAt: null,
          problem: '定时提交未成功：商品已在卖家后台被修改，请选择保留哪一方',
        }),
      { timeout: PATIENCE_MS, interval: 200 },
    );
    const { id, version } = await detailAt(3);
    expect((await shop.owner.send(submitDraft, { body: { id, version } })).code).toBe(409);
  });

  it('a planned draft that was changed since, or whose planner may not any more, stays, and the planner is told', async () => {
    const planner = await shop.world.member(shop.owner, [EDIT, SUBMIT]);
    const told = async () => {
      const { records } = await planner.call(listAllMessageByUserId, { body: {} });
      return records.map(({ title, text: said }) => `${title} ${said}`).join('\n');
    };
    const draft = await changed(3, 'Planned');
    const planned = await planner.call(scheduleDraft, {
      body: { id: draft.id, version: draft.version, at: soon(2_500) },
    });
    const attributes = { ...(await detailAt(3)).attributes, item_name: [text('Changed since')] };
    await shop.owner.call(saveDraft, { body: { ...planned, attributes } });
    const stays = (problem: string) =>
      vi.waitFor(async () => expect(await detailAt(3)).toMatchObject({ submitAt: null, submittedAt: null, problem }), {
        timeout: PATIENCE_MS,
        interval: 200,
      });
    await stays('定时提交未成功：定时之后草稿被修改过，请确认后重新提交');
    expect(await told()).toContain('定时之后草稿被修改过');
    const { id, version } = await detailAt(3);
    await planner.call(scheduleDraft, { body: { id, version, at: soon(2_500) } });
    await shop.world.as(shop.owner, (ctx) =>
      ctx.db
        .deleteFrom('identity.role_permission')
        .where('company_id', '=', ctx.companyId)
        .where('code', '=', SUBMIT)
        .execute(),
    );
    await vi.waitFor(async () => expect((await detailAt(3)).problem).toContain('已离开或没有提交权限'), {
      timeout: PATIENCE_MS,
      interval: 200,
    });
  });
});

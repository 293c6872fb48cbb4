import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { CARD_KEYS, CARDS, DEFAULT_CARDS } from '../contract/card-list.ts';
import {
  getLayout,
  listTemplates,
  type PlacedCard,
  removeTemplate,
  resetLayout,
  saveLayout,
  saveTemplate,
  TEMPLATE,
} from '../contract/layout.ts';

const HOME = 'dash:home:view';
const TWO: PlacedCard[] = [
  { key: 'todo', x: 0, y: 0, w: 6, h: 6 },
  { key: 'salesChart', x: 6, y: 0, w: 6, h: 8, filter: { period: 'd7', marketplaceIds: ['ATVPDKIKX0DER'] } },
];

let world: World;
let owner: Person;

const keysOf = (cards: readonly PlacedCard[]) => cards.map(({ key }) => key);
const save = (person: Person, version: number, cards: PlacedCard[]) =>
  person.send(saveLayout, { body: { version, cards } });
/** The role that a member has. */
const roleOf = async (person: Person) => {
  const { rows } = await world.as(owner, (ctx) =>
    sql<{ role_id: string }>`SELECT role_id FROM identity.member_role
      WHERE company_id = ${ctx.companyId} AND member_id = ${person.userId}`.execute(ctx.db),
  );
  return rows[0]?.role_id ?? '';
};

beforeAll(async () => {
  world = await createWorld();
  owner = await world.owner();
});
afterAll(() => world.close());

describe('a layout', () => {
  it('begins as the product has it: every card once, none over another or outside', async () => {
    const layout = await owner.call(getLayout, {});
    expect(layout).toMatchObject({ version: 0, source: 'default', offered: CARD_KEYS });
    expect(layout.cards).toEqual(DEFAULT_CARDS);
    expect(new Set(keysOf(layout.cards)).size).toBe(CARD_KEYS.length);
    for (const { key, x, w, h } of layout.cards) {
      expect(x + w).toBeLessThanOrEqual(12);
      expect([w >= CARDS[key].minW, h >= CARDS[key].minH]).toEqual([true, true]);
    }
  });

  it('is kept as it was saved, and a window that read an earlier one is told', async () => {
    const person = await world.member(owner, [HOME]);
    const first = await person.call(saveLayout, { body: { version: 0, cards: TWO } });
    expect(first).toMatchObject({ version: 1, source: 'own' });
    expect((await person.call(getLayout, {})).cards).toEqual(TWO);
    const late = await save(person, 0, [TWO[0] as PlacedCard]);
    expect(late).toMatchObject({ status: 409, msg: '布局已在其他窗口修改，请刷新' });
    expect((await person.call(getLayout, {})).cards).toEqual(TWO);
    expect((await save(person, 1, [TWO[0] as PlacedCard])).data).toMatchObject({ version: 2 });
  });

  it('of two windows that save at once one is told', async () => {
    const person = await world.member(owner, [HOME]);
    for (const version of [0, 1]) {
      const answers = await Promise.all([save(person, version, TWO), save(person, version, [])]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    }
  });

  it('goes back to the default, which an older window cannot undo', async () => {
    const person = await world.member(owner, [HOME]);
    await person.call(saveLayout, { body: { version: 0, cards: TWO } });
    const back = await person.call(resetLayout, {});
    expect(back).toMatchObject({ version: 2, source: 'default' });
    expect((await save(person, 1, TWO)).status).toBe(409);
    expect((await save(person, 0, TWO)).status).toBe(409);
    expect((await save(person, 2, TWO)).data).toMatchObject({ version: 3, source: 'own' });
  });

  it('is refused where a card stands twice, outside, too small or is none', async () => {
    const [card] = TWO as [PlacedCard, PlacedCard];
    for (const [cards, words] of [
      [[card, { ...card, y: 9 }], '同一张卡片不能出现两次'],
      [[{ ...card, x: 9 }], '卡片超出页面右边'],
      [[{ ...card, w: 2 }], '卡片小于最小尺寸'],
    ] as const)
      expect(await save(owner, 0, [...cards])).toMatchObject({ status: 400, msg: expect.stringContaining(words) });
    expect((await save(owner, 0, [{ ...card, key: 'stocks' as 'todo' }])).status).toBe(400);
  });

  it('leaves out cards that the product does not know any more, and those that somebody may not see', async () => {
    const person = await world.member(owner, [HOME, 'amz:inventory:view']);
    await person.call(saveLayout, {
      body: { version: 0, cards: [...TWO, { key: 'adChart', x: 0, y: 8, w: 4, h: 8 }] },
    });
    await world.as(owner, (ctx) =>
      sql`UPDATE dashboard.layout SET cards = cards || '[{"key":"weather","x":0,"y":20,"w":3,"h":3}]'
           WHERE company_id = ${ctx.companyId} AND member_id = ${person.userId}`.execute(ctx.db),
    );
    const { cards, offered } = await person.call(getLayout, {});
    expect(keysOf(cards)).toEqual(keysOf(TWO));
    expect(offered).toContain('stockChart');
    expect(offered.filter((key) => ['adChart', 'settlement', 'storeShow'].includes(key))).toEqual([]);
  });

  it('has notices, things to do and help only for whoever may not see figures', async () => {
    const person = await world.member(owner, ['amz:order:view', 'amz:inventory:view']);
    const { offered, cards } = await person.call(getLayout, {});
    expect([...offered].sort()).toEqual(['notice', 'service', 'todo']);
    expect(keysOf(cards).sort()).toEqual(['notice', 'service', 'todo']);
  });

  it('is nobody else’s', async () => {
    const [person, colleague, stranger] = [
      await world.member(owner, [HOME]),
      await world.member(owner, [HOME]),
      await world.owner(),
    ];
    await person.call(saveLayout, { body: { version: 0, cards: TWO } });
    for (const other of [colleague, stranger])
      expect(await other.call(getLayout, {})).toMatchObject({ version: 0, source: 'default' });
  });
});

describe('a template', () => {
  it('is what members of the role begin with, until they save; the log names it', async () => {
    const person = await world.member(owner, [HOME]);
    const other = await world.member(owner, [HOME]);
    const roleId = await roleOf(person);
    await owner.call(saveTemplate, { body: { roleIds: [roleId], cards: TWO } });
    expect(await person.call(getLayout, {})).toMatchObject({ version: 0, source: 'template', cards: TWO });
    expect(await other.call(getLayout, {})).toMatchObject({ source: 'default' });
    const [named] = (await owner.call(listTemplates, {})).filter((row) => row.roleId === roleId);
    expect(named).toMatchObject({ updatedByName: '管理员' });
    await person.call(saveLayout, { body: { version: 0, cards: [] } });
    expect(await person.call(getLayout, {})).toMatchObject({ source: 'own', cards: [] });
    expect(await person.call(resetLayout, {})).toMatchObject({ source: 'template', cards: TWO });
    await owner.call(removeTemplate, { params: { roleId } });
    expect(await person.call(getLayout, {})).toMatchObject({ source: 'default' });
    const { rows } = await world.as(owner, (ctx) =>
      sql<{ action: string }>`SELECT action FROM kit.audit WHERE company_id = ${ctx.companyId}
        AND resource = 'dashboard.template' ORDER BY at`.execute(ctx.db),
    );
    expect(rows.map(({ action }) => action)).toEqual(['保存首页布局模板', '删除首页布局模板']);
  });

  it('is for whoever may, and for roles of his own company', async () => {
    const person = await world.member(owner, [HOME, TEMPLATE]);
    const roleId = await roleOf(person);
    const stranger = await world.owner();
    const body = { roleIds: [roleId], cards: TWO };
    expect((await stranger.send(saveTemplate, { body })).status).toBe(404);
    expect((await stranger.send(removeTemplate, { params: { roleId } })).status).toBe(404);
    const plain = await world.member(owner, [HOME]);
    expect((await plain.send(saveTemplate, { body })).status).toBe(403);
    await person.call(saveTemplate, { body });
    expect(await person.call(getLayout, {})).toMatchObject({ source: 'template' });
  });
});

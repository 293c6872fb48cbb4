import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { getLayout, resetLayout, saveLayout } from '../../src/modules/dashboard/contract/layout.ts';
import { setup } from '../../src/modules/dashboard/contract.ts';
import { callAs } from './support/api.ts';
import { expect, test } from './support/browser.ts';
import { openHome, pageOf, seriousFaults, settled } from './support/session.ts';

const ALL = 14;

let page: Page;

/** Columns and rows of a card, by where it lies on the grid. */
const placeOf = async (key: string) => {
  const { cards } = await callAs(page, getLayout, {});
  return cards.find((card) => card.key === key);
};
const cardOf = (title: string) => page.getByRole('region', { name: title, exact: true });
const menuOf = async (title: string, entry: string) => {
  await page.getByRole('button', { name: `「${title}」更多` }).click();
  await page.getByRole('menuitem', { name: entry }).click();
};

test.beforeAll(async ({ browser, baseURL }) => {
  page = await pageOf(browser, baseURL, { account: 'demo@example.com' });
  await expect.poll(async () => (await callAs(page, setup, { body: {} })).hasData, { timeout: 300_000 }).toBe(true);
  await callAs(page, resetLayout, {});
});
test.afterAll(async () => {
  await callAs(page, resetLayout, {});
  await page.context().close();
});

test('the cards of the home page load as they come near', async () => {
  await openHome(page);
  await expect(cardOf('待办事项')).toBeVisible();
  await settled(page);
  await expect(page.locator('[data-card]')).toHaveCount(ALL);
  // The last ones have not been asked for yet.
  await expect(page.locator('[data-card="service"] .is-far')).toHaveCount(1);
  await page.locator('[data-card="service"]').scrollIntoViewIfNeeded();
  await expect(cardOf('帮助与服务')).toContainText('演示管理员');
  await settled(page);
  expect(await seriousFaults(page)).toEqual([]);
});

test('they are moved, sized, taken away and added, and stay as they were saved', async () => {
  await openHome(page);
  await page.getByRole('button', { name: '编辑布局' }).click();
  const handle = page.getByRole('button', { name: '移动「销售趋势」' });
  await handle.focus();
  await page.keyboard.press('Shift+ArrowLeft');
  await page.keyboard.press('Shift+ArrowDown');
  await expect(page.getByRole('status').filter({ hasText: '销售趋势' })).toHaveText(
    '销售趋势：第 1 列、第 4 行，宽 7 列、高 9 行',
  );
  await page.keyboard.press('ArrowUp');
  await expect(page.getByRole('status').filter({ hasText: '销售趋势' })).toHaveText(
    '销售趋势：第 1 列、第 1 行，宽 7 列、高 9 行',
  );
  expect(await seriousFaults(page)).toEqual([]);
  // With the mouse: things to do go to the left, over the trend.
  const head = cardOf('待办事项').locator('.card-head h2');
  const from = await head.boundingBox();
  const to = await cardOf('销售趋势').locator('.card-head h2').boundingBox();
  if (!from || !to) throw new Error('no heads to drag');
  await page.mouse.move(from.x + 10, from.y + 8);
  await page.mouse.down();
  await page.mouse.move(to.x + 40, to.y + 10, { steps: 12 });
  await page.mouse.up();
  await page.getByRole('button', { name: '移除「同步健康」' }).click();
  await expect(cardOf('同步健康')).toHaveCount(0);
  await page.getByRole('button', { name: '移除「公告」' }).click();
  await page.getByRole('button', { name: '添加卡片' }).click();
  const drawer = page.getByRole('dialog', { name: '添加卡片' });
  await drawer.getByRole('button', { name: '添加「公告」' }).click();
  await expect(drawer.getByRole('button', { name: '添加「公告」' })).toHaveCount(0);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: '保存布局' }).click();
  await expect(page.getByRole('button', { name: '编辑布局' })).toBeVisible();
  const [todo, trend] = [await placeOf('todo'), await placeOf('salesChart')];
  expect(todo).toMatchObject({ x: 0, y: 0 });
  expect(trend).toMatchObject({ w: 7, h: 9 });
  await page.reload();
  await expect(cardOf('待办事项')).toBeVisible();
  await expect(page.locator('[data-card]')).toHaveCount(ALL - 1);
  const [left, right] = [await cardOf('待办事项').boundingBox(), await cardOf('销售趋势').boundingBox()];
  expect(left?.y).toBeLessThan(right?.y ?? 0);
});

test('a window whose layout is out of date is told, and sees the other one when it gives up', async () => {
  await openHome(page);
  await page.getByRole('button', { name: '编辑布局' }).click();
  const { version, cards } = await callAs(page, getLayout, {});
  await callAs(page, saveLayout, { body: { version, cards: cards.filter(({ key }) => key !== 'settlement') } });
  await page.getByRole('button', { name: '移除「市场销量」' }).click();
  await page.getByRole('button', { name: '保存布局' }).click();
  await expect(page.getByText('布局已在其他窗口修改，请刷新')).toBeVisible();
  await page.getByRole('button', { name: /^取\s?消$/ }).click();
  await expect(page.locator('[data-card="settlement"]')).toHaveCount(0);
  await expect(page.locator('[data-card="pieChart"]')).toHaveCount(1);
});

test('a card has a filter of its own, is shown alone and kept as a picture', async () => {
  await callAs(page, resetLayout, {});
  await openHome(page);
  await expect(cardOf('销售趋势')).toBeVisible();
  await menuOf('销售趋势', '卡片筛选');
  const dialog = page.getByRole('dialog', { name: '「销售趋势」的筛选' });
  await dialog.getByRole('combobox', { name: '卡片时间' }).click();
  await page.locator('.ant-select-item-option', { hasText: '近7天' }).click();
  await dialog.getByRole('button', { name: /^保\s?存$/ }).click();
  await expect(cardOf('销售趋势').locator('.card-mark')).toHaveText('近7天');
  await expect(cardOf('销售趋势').getByRole('row')).toHaveCount(9);
  await cardOf('销售趋势').getByRole('button', { name: '订单' }).click();
  await menuOf('销售趋势', '全屏查看');
  const alone = page.getByRole('dialog', { name: '销售趋势' });
  await expect(alone.getByRole('button', { name: '订单' })).toHaveAttribute('aria-pressed', 'false');
  await expect(alone.getByRole('row')).toHaveCount(9);
  expect((await alone.locator('.card').boundingBox())?.width).toBeGreaterThan(1500);
  await page.keyboard.press('Escape');
  await expect(alone).toBeHidden();
  await expect(page).toHaveURL(/\/home/);
  const download = page.waitForEvent('download');
  await menuOf('销售趋势', '导出图片');
  const file = await download;
  expect(file.suggestedFilename()).toBe('销售趋势.png');
  const bytes = await readFile(await file.path());
  // A PNG twice as wide as the card.
  expect(bytes.subarray(1, 4).toString('latin1')).toBe('PNG');
  const width = (await cardOf('销售趋势').boundingBox())?.width ?? 0;
  expect(Math.abs(bytes.readUInt32BE(16) - 2 * width)).toBeLessThan(4);
});

test('a card that fails says so alone, and tries again', async () => {
  await page.route('**/summary/adChart', (route) => route.abort());
  await openHome(page);
  const card = cardOf('广告表现');
  await card.scrollIntoViewIfNeeded();
  await expect(card.getByRole('alert')).toContainText('加载失败');
  await expect(cardOf('市场销量').getByRole('alert')).toHaveCount(0);
  await page.unroute('**/summary/adChart');
  await card.getByRole('button', { name: '重试' }).click();
  await expect(card.getByRole('alert')).toHaveCount(0);
  await expect(card.getByText('TACoS')).toBeVisible();
});

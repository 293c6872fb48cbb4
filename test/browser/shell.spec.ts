import type { Page } from '@playwright/test';
import { expect, inProof, test } from './support/browser.ts';
import { logIn, openHome, openScreen, seriousFaults, settled } from './support/session.ts';

const UNSAVED = '有未保存的内容，确定离开吗？';
let page: Page;

test.beforeAll(async ({ browser, baseURL }) => {
  const context = await browser.newContext({
    baseURL: baseURL ?? '',
    viewport: { width: 1600, height: 900 },
    locale: 'zh-CN',
  });
  page = await context.newPage();
  await logIn(page);
  await openHome(page);
});
test.afterAll(() => page.context().close());

const tab = (name: string) =>
  page.getByRole('tablist', { name: '页签' }).getByRole('tab', { name: new RegExp(`(^|\\s)${name}$`) });
const section = (name: string) => page.getByRole('navigation', { name: '主菜单' }).getByRole('button', { name });

const menuOf = (name: string) => page.getByRole('navigation', { name: `${name}菜单` });

/** Opens a screen through the drawer of its section, as a mouse does. */
async function byMenu(group: string, link: string): Promise<void> {
  // A frame that is drawn anew under a pointer at rest has not seen it come, and only one that went away can come again.
  await expect(async () => {
    await page.mouse.move(800, 600);
    await section(group).hover();
    await expect(menuOf(group)).toBeVisible({ timeout: 2_000 });
  }).toPass();
  await menuOf(group).getByRole('button', { name: link, exact: true }).first().click();
  await expect(tab(link)).toHaveAttribute('aria-selected', 'true');
}

test('the colours that a browser was left in are there at once, and the header changes them', async () => {
  const { name } = test.info().project;
  const html = page.locator('html');
  await expect(html).toHaveAttribute('data-theme', name);
  const other = name === 'light' ? 'black' : 'light';
  const change = async (theme: string) => {
    await page.getByRole('button', { name: theme === 'black' ? '切换到深色' : '切换到浅色' }).click();
    await expect(html).toHaveAttribute('data-theme', theme);
  };
  await change(other);
  await page.reload();
  await expect(html).toHaveAttribute('data-theme', other);
  await change(name);
});

test('hovering opens a group after a moment, a search narrows it, a star brings a page to the top and stays', async () => {
  await section('财务').hover();
  const drawer = menuOf('财务');
  await expect(drawer).toBeVisible();
  await drawer.getByLabel('搜索菜单').fill('利润报');
  await expect(drawer.locator('.sub-menu-link')).toHaveText(['利润报表']);
  const saved = page.waitForResponse((answer) => answer.url().includes('/favourites') && answer.ok());
  await drawer.getByRole('button', { name: '收藏 利润报表' }).click();
  await saved;
  await drawer.getByLabel('搜索菜单').fill('');
  await expect(drawer.locator('.sub-menu-group').first()).toContainText('收藏');
  await page.keyboard.press('Escape');
  await expect(drawer).toBeHidden();

  // Kept by the server: another browser would know it as well.
  await page.evaluate(() => localStorage.removeItem('favourites'));
  await page.reload();
  await section('财务').hover();
  await expect(drawer.locator('.sub-menu-group').first()).toContainText('利润报表');
  await drawer.getByRole('button', { name: '取消收藏 利润报表' }).first().click();
  await page.keyboard.press('Escape');
});

test('tabs: the context menu closes and refreshes, Esc closes, keys switch', async () => {
  await byMenu('销售', '订单列表');
  await byMenu('销售', '在线商品');
  await byMenu('仓库', 'FBA库存');
  await page.keyboard.press('Alt+2');
  await expect(tab('订单列表')).toHaveAttribute('aria-selected', 'true');
  await tab('在线商品').click({ button: 'right' });
  await page.getByRole('menuitem', { name: '关闭右边' }).click();
  await expect(tab('FBA库存')).toBeHidden();
  await tab('在线商品').click({ button: 'right' });
  await page.getByRole('menuitem', { name: '刷新页面' }).click();
  await expect(tab('在线商品')).toBeVisible();
  await expect(page).not.toHaveURL(/blank/);
  await tab('在线商品').click();
  await page.locator('.frame-sheet').click({ position: { x: 300, y: 20 } });
  await page.keyboard.press('Escape');
  await expect(tab('在线商品')).toBeHidden();
  await tab('首页').click({ button: 'right' });
  await page.getByRole('menuitem', { name: '关闭其他页签' }).click();
  await expect(tab('订单列表')).toBeHidden();
});

test('Ctrl+K finds an order by its number, a SKU by its beginning and a page by its name, without the mouse', async () => {
  await byMenu('销售', '订单列表');
  const cell = page
    .locator('[col-id="amazonOrderId"] ')
    .filter({ hasText: /^\d{3}-\d{7}-\d{7}$/ })
    .first();
  const number = (await cell.textContent())?.trim() ?? '';

  await page.keyboard.press('Control+k');
  const search = page.getByRole('dialog', { name: '搜索' });
  const input = search.getByRole('combobox');
  await input.fill(number.slice(0, 15));
  await expect(search.getByRole('option').first()).toContainText(number.slice(0, 11));
  await input.fill(number);
  await expect(search.getByRole('option', { selected: true })).toContainText(number);
  await expect(search.getByRole('complementary')).toContainText('店铺-站点');
  await page.keyboard.press('Enter');
  await expect(tab(number)).toHaveAttribute('aria-selected', 'true');

  await page.keyboard.press('Control+k');
  await expect(search.getByRole('option').first()).toContainText(number);
  await input.fill('nq-dro');
  await expect(search.getByRole('option').first()).toContainText('NQ-DRO');
  await input.fill('利润');
  await expect(search.getByRole('option').first()).toContainText('利润报表');
  await page.keyboard.press('Enter');
  await expect(tab('利润报表')).toHaveAttribute('aria-selected', 'true');

  await page.keyboard.press('Control+k');
  await input.fill('没有这样的东西');
  await expect(search.getByText('没有找到与「没有这样的东西」相符的内容。')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(search).toBeHidden();
});

test('when the server does not answer, the search says so and still finds pages', async () => {
  await page.route('**/admin/api/v1/search**', (route) => route.abort());
  await page.keyboard.press('Control+k');
  const search = page.getByRole('dialog', { name: '搜索' });
  await search.getByRole('combobox').fill('结算');
  await expect(search.getByRole('alert')).toContainText('暂时搜索不到');
  await expect(search.getByRole('option').first()).toContainText('结算记录');
  await page.unroute('**/admin/api/v1/search**');
  await search.getByRole('button', { name: '重试' }).click();
  await expect(search.getByRole('alert')).toBeHidden();
  await page.keyboard.press('Escape');
});

test('unsaved work is asked about before its tab closes, refreshes or the account is left, and survives a no', async () => {
  await openScreen(page, '/sys/ruleAuth', '角色权限');
  const box = page.getByRole('checkbox', { name: '查看订单' }).first();
  await expect(box).toBeVisible();
  await settled(page);
  const before = await box.isChecked();
  await box.click();
  await expect(page.locator('.frame-tab-dirty')).toBeVisible();
  const question = page.getByRole('dialog', { name: UNSAVED });
  const stay = async () => {
    await expect(question).toContainText('未保存：角色权限');
    await question.getByRole('button', { name: '继续编辑' }).click();
    await expect(question).toBeHidden();
  };

  await page.keyboard.press('Alt+w');
  await stay();
  await page.keyboard.press('Alt+r');
  await stay();
  await tab('首页').click({ button: 'right' });
  await page.getByRole('menuitem', { name: '关闭其他页签' }).click();
  await stay();
  await page.getByRole('button', { name: '账号', exact: true }).click();
  await page.getByRole('menuitem', { name: '退出登录' }).click();
  await stay();

  // The tab may rest at the back: nothing is asked, nothing is lost.
  await tab('首页').click();
  await tab('角色权限').click();
  await expect(box).toBeChecked({ checked: !before });
  await page.keyboard.press('Escape');
  await expect(tab('角色权限')).toBeVisible();

  // Leaving the whole page is the browser's question.
  const asked = page.waitForEvent('dialog');
  await page.evaluate(() => void setTimeout(() => window.location.reload(), 0));
  const dialog = await asked;
  expect(dialog.type()).toBe('beforeunload');
  await dialog.dismiss();
  await expect(page.locator('.frame-tab-dirty')).toBeVisible();

  // Ctrl+S presses the save button of the page, here a change and its way back.
  const kept = (timeout = 60_000) => expect(page.locator('.frame-tab-dirty')).toBeHidden({ timeout });
  // For a moment after its question the browser may take no keys.
  await expect(async () => {
    await page.keyboard.press('Control+s');
    await kept(5000);
  }).toPass();
  await box.click();
  await expect(page.locator('.frame-tab-dirty')).toBeVisible();
  await page.keyboard.press('Control+s');
  await kept();
  await expect(box).toBeChecked({ checked: before });

  await box.click();
  await expect(page.locator('.frame-tab-dirty')).toBeVisible();
  await page.keyboard.press('Alt+w');
  await question.getByRole('button', { name: '放弃并离开' }).click();
  await expect(tab('角色权限')).toBeHidden();
});

test('Back out of the frame asks before unsaved work is lost; Back to another tab keeps it', async () => {
  await page.goto('/404');
  await page.getByRole('button', { name: '返回首页' }).click();
  await expect(tab('首页')).toBeVisible();
  await settled(page);
  // The pointer still rests where the page before had its button.
  await page.mouse.move(800, 600);
  await byMenu('系统', '角色权限');
  const box = page.getByRole('checkbox', { name: '查看订单' }).first();
  await settled(page);
  await box.click();
  await expect(page.locator('.frame-tab-dirty')).toBeVisible();
  const question = page.getByRole('dialog', { name: UNSAVED });

  await page.goBack();
  await expect(tab('首页')).toHaveAttribute('aria-selected', 'true');
  await page.goForward();
  await expect(tab('角色权限')).toHaveAttribute('aria-selected', 'true');
  await expect(page.locator('.frame-tab-dirty')).toBeVisible();
  await expect(question).toBeHidden();

  const out = () => page.evaluate(() => window.history.go(-2));
  await out();
  await question.getByRole('button', { name: '继续编辑' }).click();
  await expect(question).toBeHidden();
  await expect(page).toHaveURL(/ruleAuth/);
  await expect(page.locator('.frame-tab-dirty')).toBeVisible();
  await out();
  await question.getByRole('button', { name: '放弃并离开' }).click();
  await expect(page).toHaveURL(/\/404$/);
  await page.getByRole('button', { name: '返回首页' }).click();
  await expect(page.locator('.frame-tab-dirty')).toBeHidden();
});

test('the drawer of marketplaces: twelve marks, grey ones say that they are not open, Amazon leads to the stores', async () => {
  await page.locator('.frame-rail-foot').click();
  const drawer = page.getByRole('dialog', { name: '平台选择' });
  await expect(drawer.getByRole('listitem')).toHaveCount(12);
  await drawer.getByRole('button', { name: /Shopee/ }).click();
  await expect(page.getByText('该平台暂未开通')).toBeVisible();
  await drawer.getByRole('button', { name: /Amazon/ }).click();
  await expect(tab('店铺管理')).toHaveAttribute('aria-selected', 'true');
  await expect(drawer).toBeHidden();
});

test('an address that leads nowhere says so in its tab, lights nothing in the rail and leads home', async () => {
  await page.goto('/no/such/page?title=随便');
  await expect(page.getByRole('heading', { name: '页面不存在' })).toBeVisible();
  await expect(tab('页面不存在')).toHaveAttribute('aria-selected', 'true');
  await expect(page.locator('.frame-rail [aria-current="page"]')).toHaveCount(0);
  await page.getByRole('button', { name: '返回首页' }).click();
  await expect(tab('首页')).toHaveAttribute('aria-selected', 'true');
  await expect(page.locator('.frame-rail [aria-current="page"]')).toHaveCount(1);
});

test('a screen whose file does not come: one reload by itself, then words and a way back', async () => {
  const chunk = /\/assets\/ProfitReport-[^/]*\.js/;
  let refused = 0;
  await page.route(chunk, (route) => {
    refused += 1;
    return route.abort();
  });
  await page.goto('/finance/profitReport?title=利润报表');
  await expect(page.getByRole('heading', { name: '页面模块加载失败，请刷新重试' })).toBeVisible();
  expect(refused).toBeGreaterThanOrEqual(2);
  // The other tabs stand.
  await tab('首页').click();
  await expect(page.locator('.figure-strip').first()).toBeVisible();
  await page.unroute(chunk);
  await tab('利润报表').click();
  await page.getByRole('button', { name: '刷新页面' }).click();
  await expect(page.getByRole('heading', { name: '利润报表' })).toBeVisible();
});

inProof('a list is where it was scrolled to after a visit to another tab; a refresh builds it anew', async () => {
  await openScreen(page, '/amazon/sale/order/list', '订单列表');
  /** How far the list in front is scrolled, whichever of its boxes it is that scrolls. */
  const scrolled = () =>
    page
      .locator('.page-list *')
      .evaluateAll((boxes) =>
        Math.max(...boxes.filter((box) => box.getClientRects().length > 0).map((box) => box.scrollTop)),
      );
  await page.locator('.ag-row').nth(5).hover();
  await page.mouse.wheel(0, 300);
  await expect.poll(scrolled).toBeGreaterThan(100);
  const before = await scrolled();
  await tab('首页').click();
  await expect(page.locator('.figure-strip').first()).toBeVisible();
  await tab('订单列表').click();
  await expect.poll(scrolled).toBe(before);

  const addresses: string[] = [];
  const note = () => addresses.push(page.url());
  page.on('framenavigated', note);
  const asked = page.waitForRequest((request) => request.url().endsWith('/orders/manager/list'));
  await page.locator('.page-list').evaluate((box) => box.setAttribute('data-old', 'true'));
  await page.keyboard.press('Alt+r');
  await asked;
  await expect(page.locator('.page-list[data-old]')).toHaveCount(0);
  await expect(page.locator('.ag-row').first()).toBeVisible();
  await expect.poll(scrolled).toBe(0);
  page.off('framenavigated', note);
  expect(addresses.some((address) => new URL(address).pathname === '/blank')).toBe(true);
});

inProof('two choices in a list that follow each other at once both count', async () => {
  await openScreen(page, '/amazon/sale/order/list', '订单列表');
  await expect(page.locator('.ag-row').first()).toBeVisible();
  const asked = page.waitForRequest((request) => {
    const { sort, filter } = (request.postDataJSON() ?? {}) as { sort?: string; filter?: { status?: string[] } };
    return request.url().endsWith('/orders/manager/list') && sort !== undefined && filter?.status !== undefined;
  });
  await page.evaluate(async () => {
    const click = (query: string) => document.querySelector<HTMLElement>(query)?.click();
    click('.page-head [role=tab]:nth-of-type(3)');
    // Both are there before the page had a chance to draw what the first one led to.
    await new Promise((done) => setTimeout(done));
    click('.ag-header-cell-sortable .ag-header-cell-label');
  });
  await asked;
  const { search } = new URL(page.url());
  expect(search).toContain('f.');
  expect(search).toContain('sort=');
});

test('an address that is not allowed is not embedded', async () => {
  await page.goto('/frame?title=外部&src=https%3A%2F%2Fevil.example%2F');
  await expect(page.getByText('不允许在系统内打开这个地址')).toBeVisible();
  await expect(page.locator('iframe')).toHaveCount(0);
  await page.getByRole('button', { name: '关闭页签' }).click();
});

inProof(
  'help opens at the screen in front, is searched with marks, and needs no session',
  async ({ browser, baseURL }) => {
    await openScreen(page, '/amazon/inventory/quantity', 'FBA库存');
    const opened = page.context().waitForEvent('page');
    await page.getByRole('link', { name: '帮助文档' }).click();
    const help = await opened;
    await expect(help.getByRole('heading', { name: 'FBA库存', level: 1 })).toBeVisible();
    await help.close();

    const stranger = await browser.newContext({ baseURL: baseURL ?? '', locale: 'zh-CN' });
    const guide = await stranger.newPage();
    await guide.goto('/help');
    await expect(guide.getByRole('heading', { name: '快速开始', level: 1 })).toBeVisible();
    await guide.getByLabel('搜索帮助').fill('离职交接');
    await expect(guide.getByRole('status')).toHaveText('1 篇');
    await guide.getByRole('navigation', { name: '帮助目录' }).getByRole('listitem').getByRole('button').first().click();
    await expect(guide.getByRole('heading', { name: '子账号与权限', level: 1 })).toBeVisible();
    await expect(guide.locator('article mark').first()).toHaveText('离职交接');
    expect(await seriousFaults(guide)).toEqual([]);
    await stranger.close();
  },
);

test('menu, search and marketplaces are accessible', async () => {
  await page.goto('/home');
  await expect(section('销售')).toBeVisible();
  const check = async (part: string) => expect(await seriousFaults(page, part), part).toEqual([]);
  await section('销售').hover();
  await expect(menuOf('销售')).toBeVisible();
  await check('.sub-menu');
  await check('.frame-rail');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: '搜索页面' }).fill('订单');
  await expect(page.getByRole('option').first()).toBeVisible();
  await check('.search');
  await page.keyboard.press('Escape');
  await page.locator('.frame-rail-foot').click();
  await expect(page.getByRole('dialog', { name: '平台选择' }).getByRole('listitem')).toHaveCount(12);
  await check('.market-list');
  await page.keyboard.press('Escape');
});

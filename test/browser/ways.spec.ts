import type { Page } from '@playwright/test';
import { inTurn } from '../support/depth.ts';
import { expect, inProof, test } from './support/browser.ts';
import { openScreen, pageOf, seriousFaults, settled } from './support/session.ts';

test.describe.configure({ mode: 'serial' });

let page: Page;

test.beforeAll(async ({ browser, baseURL }) => {
  page = await pageOf(browser, baseURL);
});
test.afterAll(() => page.context().close());

test('an address that leads nowhere says so, in a tab and outside, and leads home', async () => {
  for (const address of ['/404', '/gibt/es/nicht?title=没有&path=/gibt/es/nicht']) {
    await page.goto(address);
    await expect(page.getByRole('heading', { name: '页面不存在' })).toBeVisible();
    await page.getByRole('button', { name: '返回首页' }).click();
    await expect(page).toHaveURL(/\/home/);
  }
});

const DECLINED = ['授权失败，请重试，重试时必须在店铺所在的网络环境中操作', '卖家取消了授权'] as const;

test('a seller who declined, and a state that nobody gave out, end on a page with the way back', async () => {
  for (const path of ['/authresult', '/advresult']) {
    await page.goto(`${path}?error=access_denied`);
    for (const words of DECLINED) await expect(page.getByRole('status')).toContainText(words);
    await settled(page);
    expect(await seriousFaults(page), path).toEqual([]);
    await page.goto(`${path}?state=erfunden&selling_partner_id=A1&spapi_oauth_code=x&code=x`);
    await expect(page.getByRole('status').getByRole('heading')).toHaveText(/^(授权失败|返回码异常)/);
    await page.getByRole('link', { name: '返回店铺列表' }).click();
    await expect(page.getByRole('tab', { name: '店铺管理' })).toBeVisible();
  }
});

test('clearing the cache closes the tabs and keeps the person in', async () => {
  await openScreen(page, '/sys/dict', '数据字典');
  const cleared = page.waitForResponse((answer) => answer.url().includes('/menus/cleanUserCache'));
  await page.getByRole('button', { name: '账号', exact: true }).click();
  await page.getByRole('menuitem', { name: '清除缓存' }).click();
  expect((await (await cleared).json()).code).toBe(201);
  await expect(page).toHaveURL(/\/home/);
  await expect(page.getByRole('tab', { name: '数据字典' })).toHaveCount(0);
  await expect(page.locator('.frame-account')).toContainText('演示管理员');
});

const LISTS: [path: string, title: string][] = [
  ['/erp/product/localproduct', '本地产品'],
  ['/product/cost', '采购成本'],
  ['/erp/purchase/orders', '采购单'],
  ['/erp/purchase/plan', '采购规划'],
  ['/finance/account', '资金账户'],
  ['/finance/paymentRequest', '请款单'],
  ['/finance/payable', '应付与预付'],
  ['/finance/exchangeRate', '汇率与关账'],
];

inProof('the lists of products, purchase and finance are accessible', async () => {
  test.setTimeout(300_000);
  for (const [path, title] of inTurn(LISTS, 4)) {
    await openScreen(page, path, title);
    await settled(page);
    expect(await seriousFaults(page), title).toEqual([]);
  }
});

import type { Page } from '@playwright/test';
import { expect, test } from './support/browser.ts';
import { choose } from './support/select.ts';
import { logIn, openScreen, seriousFaults, settled } from './support/session.ts';

test.describe.configure({ mode: 'serial' });

let page: Page;
/** An order of the demo that is approved and not placed; those of the other suppliers go to 1688 by themselves. */
let order: { id: string; number: string; supplier: string; sku: string };

interface Listed {
  records: { id: string; number: string; supplier: string; currency: string; product: { code: string } }[];
}

/** Asks the product as the page would, with the page's own session. */
function ask<T>(path: string, body: object): Promise<T> {
  return page.evaluate(
    async ([url, sent]) => {
      const session = localStorage.getItem('jsessionid') ?? '';
      const answer = await fetch(`/api${url}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', jsessionid: session },
        body: sent,
      });
      return ((await answer.json()) as { data: unknown }).data;
    },
    [path, JSON.stringify(body)] as const,
  ) as Promise<T>;
}

test.beforeAll(async ({ browser, baseURL }) => {
  test.setTimeout(180_000);
  const context = await browser.newContext({
    baseURL: baseURL ?? '',
    viewport: { width: 1600, height: 900 },
    locale: 'zh-CN',
  });
  page = await context.newPage();
  await logIn(page);
  // The demo buys once its products and stores are there.
  await expect(async () => {
    const { records } = await ask<Listed>('/erp/api/v1/purchaseOrder/list', { filter: { stage: ['approved'] } });
    const found = records.find((one) => one.currency === 'CNY' && one.supplier === '永康锐达五金');
    if (!found) throw new Error('no approved order');
    order = { ...found, sku: found.product.code };
  }).toPass();
});
test.afterAll(() => page.context().close());

test("an account is bound on the platform's own page, which leads back", async () => {
  await openScreen(page, '/erp/open1688/bind', '1688账号');
  await page.getByRole('button', { name: '授权1688账号' }).first().click();
  await page.getByRole('button', { name: '同意授权' }).click();
  const row = page.getByRole('row', { name: /沙箱采购一号/ });
  await expect(row).toContainText('已授权');
  // The code is used up: it no longer stands in the address.
  await expect(page).not.toHaveURL(/code=/);
});

test('a product is tied to a variant that the platform names', async () => {
  await openScreen(page, '/erp/open1688/offers', '1688商品对应');
  await page.getByRole('button', { name: '新增对应' }).first().click();
  const dialog = page.getByRole('dialog', { name: '新增1688商品对应' });
  await choose(dialog.getByRole('combobox', { name: '供应商' }), order.supplier);
  await choose(dialog.getByRole('combobox', { name: '商品', exact: true }), order.sku, order.sku);
  await dialog.getByLabel('1688商品编号').fill('610947572360');
  await dialog.getByRole('button', { name: '查询1688商品' }).click();
  await expect(dialog).toContainText('不锈钢保温杯');
  await dialog.getByRole('button', { name: '保存' }).click();
  await expect(page.getByRole('row', { name: new RegExp(order.sku) })).toContainText('颜色:黑色');
});

test('an order goes there after its amounts were looked at, is paid on the page of the platform, and followed', async () => {
  await openScreen(page, '/erp/open1688/orders', '1688订单');
  await page.getByRole('button', { name: '1688下单' }).first().click();
  const dialog = page.getByRole('dialog', { name: '1688下单' });
  await choose(dialog.getByRole('combobox', { name: '采购单' }), order.number);
  await expect(dialog.getByText('1688应付')).toBeVisible();
  await expect(dialog.getByText('差额')).toBeVisible();
  expect(await seriousFaults(page, '.ant-modal')).toEqual([]);
  await dialog.getByRole('button', { name: /^下\s?单$/ }).click();
  const row = page.getByRole('row', { name: new RegExp(order.number) });
  await expect(row).toContainText('待付款');
  const opened = page.waitForEvent('popup');
  await row.getByRole('button', { name: '去付款' }).click();
  // The platform takes another amount than the order says: whoever pays is asked first.
  const differs = page.getByRole('dialog').filter({ hasText: '请核对后付款' });
  await differs.getByRole('button', { name: '去付款' }).click();
  const paying = await opened;
  await paying.getByRole('button', { name: '模拟付款' }).click();
  await expect(paying.getByText('付款成功')).toBeVisible();
  await paying.close();
  await page.getByRole('button', { name: '立即同步' }).click();
  await expect(row).toContainText('待发货');
  await settled(page);
  expect(await seriousFaults(page)).toEqual([]);
  await row.getByRole('link', { name: order.number }).click();
  await expect(page.getByText('待到货').first()).toBeVisible();
});

test('parts are given out and become a product in two goes, of which one is taken back', async () => {
  const setting = { separateApprover: false, receiveTolerance: '0', priceRise: '0.05', changeTolerance: '0' };
  await ask('/erp/api/v1/purchaseOrder/setting', setting);
  await openScreen(page, '/e/p/p/c', '新增采购加工单');
  const places = await page.evaluate(async () => {
    const session = localStorage.getItem('jsessionid') ?? '';
    const answer = await fetch('/api/erp/api/v1/processOrder/choices', { headers: { jsessionid: session } });
    return ((await answer.json()) as { data: { warehouses: { id: string; name: string }[] } }).data.warehouses;
  });
  const place = places[0];
  if (!place) throw new Error('no warehouse');
  type Goods = { product: { code: string }; available: number }[];
  const goods = await ask<Goods>('/erp/api/v1/processOrder/goods', { warehouseId: place.id });
  const part = goods.find((one) => one.available >= 20);
  const main = goods.find((one) => one !== part);
  if (!part || !main) throw new Error('no stock');
  await choose(page.getByRole('combobox', { name: '仓库' }), place.name);
  await choose(page.getByRole('combobox', { name: '选择主产品' }), main.product.code, main.product.code);
  await page.getByLabel('加工数').fill('10');
  await choose(
    page.getByRole('combobox', { name: '输入 SKU、名称或条码添加子件' }),
    part.product.code,
    part.product.code,
  );
  await page.getByLabel(`${part.product.code} 需用`).fill('20');
  await page.getByRole('button', { name: '提交审核' }).click();
  await page.getByRole('button', { name: '通过' }).click();
  await page.getByRole('button', { name: '发料' }).click();
  await page.getByRole('button', { name: '完工入库' }).click();
  const dialog = page.getByRole('dialog', { name: /完工入库/ });
  await dialog.getByLabel('完工入库').fill('6');
  await dialog.getByRole('button', { name: '登记完工' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('row', { name: new RegExp(part.product.code) })).toContainText('12');
  await page.getByRole('tab', { name: /完工记录/ }).click();
  await page.getByRole('button', { name: '撤销', exact: true }).click();
  const undoing = page.getByRole('dialog', { name: /^撤销第/ });
  await undoing.getByLabel('原因').fill('数错了');
  await undoing.getByRole('button', { name: '撤销完工' }).click();
  await expect(undoing).toBeHidden();
  await expect(page.getByRole('table', { name: '完工记录' })).toContainText('已撤销');
  expect(await seriousFaults(page)).toEqual([]);
});

test('on a phone an approval is a card that is read from top to bottom and decided with a thumb', async ({
  browser,
  baseURL,
}) => {
  const context = await browser.newContext({
    baseURL: baseURL ?? '',
    viewport: { width: 390, height: 844 },
    isMobile: true,
    hasTouch: true,
    locale: 'zh-CN',
    storageState: await page.context().storageState(),
  });
  const phone = await context.newPage();
  // The plan that the demo's buyer has handed in waits for the boss; the desk of the office leads to the page of cards.
  await expect(async () => {
    await phone.goto('/examine/desk');
    await expect(phone).toHaveURL(/\/examine\/phone/);
    await expect(phone.getByRole('button', { name: /采购计划.*GH\d+/ })).toBeVisible({ timeout: 5000 });
  }).toPass();
  await settled(phone);
  expect(await seriousFaults(phone)).toEqual([]);
  await phone.getByRole('button', { name: /采购计划.*GH\d+/ }).tap();
  await expect(phone.getByText('老板审批')).toBeVisible();
  const agree = phone.getByRole('button', { name: /^同\s?意$/ });
  await expect(agree).toBeInViewport();
  expect((await agree.boundingBox())?.height).toBeGreaterThanOrEqual(44);
  expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await settled(phone);
  expect(await seriousFaults(phone)).toEqual([]);
  await agree.tap();
  await phone.getByRole('dialog').getByLabel('审批意见').fill('按计划采购');
  await phone
    .getByRole('dialog')
    .getByRole('button', { name: /^同\s?意$/ })
    .tap();
  await expect(phone.getByRole('button', { name: /采购计划.*GH\d+/ })).toHaveCount(0);
  await context.close();
});

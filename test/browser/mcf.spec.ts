import type { Page } from '@playwright/test';
import { mcfGoods } from '../../src/modules/fulfillment/contract/create.ts';
import { listMcf } from '../../src/modules/fulfillment/contract/orders.ts';
import { authMarketplace } from '../../src/modules/marketplace/contract/stores.ts';
import { callAs } from './support/api.ts';
import { expect, test } from './support/browser.ts';
import { choose } from './support/select.ts';
import { openScreen, pageOf, seriousFaults, settled } from './support/session.ts';
import { tellMarket } from './support/shipping.ts';

const PATH = '/amazon/sale/order/fulfillment';
const ORDER = `#${Date.now().toString(36).toUpperCase()}`;

let page: Page;

test.beforeAll(async ({ browser, baseURL }) => {
  page = await pageOf(browser, baseURL, { account: 'demo@example.com' });
});
test.afterAll(() => page.context().close());

/** A site of the demo with goods at Amazon, once its stock has been read, and how lists call it. */
async function siteWithGoods(): Promise<string> {
  let label = '';
  await expect
    .poll(async () => {
      const sites = await callAs(page, authMarketplace, {});
      const site = sites.find(({ value }) => value.startsWith('ATVPDKIKX0DER-'));
      label = site?.label ?? '';
      return site ? (await callAs(page, mcfGoods, { body: { site: site.value } })).length : 0;
    })
    .toBeGreaterThan(0);
  return label;
}

test('an order is made at the desk and followed on a phone to its tracking number', async ({ browser, baseURL }) => {
  const site = await siteWithGoods();
  await openScreen(page, PATH, '多渠道订单');
  await page.getByRole('button', { name: '新建' }).first().click();
  const dialog = page.getByRole('dialog', { name: '新建多渠道订单' });
  await choose(dialog.getByRole('combobox', { name: /店铺\/站点/ }), site);
  await dialog.getByLabel(/^平台订单号/).fill(ORDER);
  await dialog.getByLabel(/^收件人/).fill('Ada Lovelace');
  await dialog.getByLabel(/^地址1/).fill('500 Pine St');
  await dialog.getByLabel(/^城市/).fill('Seattle');
  await dialog.getByLabel(/^州\/省/).fill('WA');
  await dialog.getByLabel(/^邮政编码/).fill('98101');
  await choose(dialog.getByRole('combobox', { name: '添加商品' }), '可售');
  await dialog.getByLabel(/ 数量$/).fill('2');
  await dialog.getByRole('button', { name: '预览费用与时效' }).click();
  const fast = dialog.getByRole('radio', { name: /加急/ });
  await expect(dialog.locator('.mcf-offers')).toContainText(/\$\d+\.\d\d/);
  await fast.check();
  await settled(page);
  await page.screenshot({ path: 'test-results/mcf-create.png' });
  expect(await seriousFaults(page, '.ant-modal')).toEqual([]);
  await dialog.getByRole('button', { name: /^提\s?交$/ }).click();
  await expect(dialog).toBeHidden();
  const row = page.getByRole('grid').getByRole('row', { name: new RegExp(ORDER) });
  await expect(row).toContainText('98101'.slice(0, 3));
  await expect(async () => {
    await page.getByRole('button', { name: '刷新' }).first().click();
    await expect(row).toContainText('已接收', { timeout: 3000 });
  }).toPass();
  const number = (await row.textContent())?.match(/MCF\d{6}-[2-9A-Z]{8}/)?.[0] ?? '';
  expect(number).not.toBe('');
  await page.screenshot({ path: 'test-results/mcf-list.png' });
  expect(await seriousFaults(page)).toEqual([]);
  // A day later its goods have left.
  await tellMarket({ order: number, status: 'Complete' }, 'outbound');
  const context = await browser.newContext({
    baseURL: baseURL ?? '',
    viewport: { width: 390, height: 844 },
    isMobile: true,
    hasTouch: true,
    locale: 'zh-CN',
    storageState: await page.context().storageState(),
  });
  const phone = await context.newPage();
  await phone.goto(PATH);
  await expect(phone).toHaveURL(/fulfillment\/phone/);
  const card = phone.getByRole('button', { name: new RegExp(number) });
  await expect(card).toBeVisible();
  await settled(phone);
  await phone.screenshot({ path: 'test-results/mcf-phone-list.png' });
  expect(await seriousFaults(phone)).toEqual([]);
  await card.tap();
  await phone.getByRole('button', { name: /^同\s?步$/ }).tap();
  const parcel = phone.getByRole('region', { name: '包裹' });
  await expect(parcel).toContainText(/TBA\d{12}|1Z[0-9A-Z]{16}|9400\d{18}|\d{12}/);
  await expect(parcel).toContainText('运输中');
  await expect(phone.getByText('已发货').first()).toBeVisible();
  expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await settled(phone);
  await phone.screenshot({ path: 'test-results/mcf-phone.png' });
  expect(await seriousFaults(phone)).toEqual([]);
  await context.close();
  // The desk shows the same, and who gets it only to whoever asks.
  const tracking = await parcelOf(number);
  if (!tracking) throw new Error('the list has no tracking number');
  await row.getByRole('button', { name: '详情' }).click();
  const drawer = page.locator('.detail-drawer');
  await expect(drawer.getByRole('table', { name: /^包裹/ })).toContainText(tracking);
  await page.screenshot({ path: 'test-results/mcf-drawer.png' });
  await drawer.getByRole('tab', { name: /概况/ }).click();
  await expect(drawer).not.toContainText('Lovelace');
  await drawer.getByRole('button', { name: '查看' }).click();
  await expect(drawer).toContainText('Ada Lovelace');
  await page.screenshot({ path: 'test-results/mcf-facts.png' });
  expect(await seriousFaults(page)).toEqual([]);
});

/** The tracking number of an order, as the list has it. */
async function parcelOf(number: string): Promise<string | null> {
  const { records } = await callAs(page, listMcf, { body: { filter: { numbers: [number] } } });
  return records[0]?.tracking ?? null;
}

import type { Page } from '@playwright/test';
import { authMarketplace } from '../../src/modules/marketplace/contract/stores.ts';
import { commitUpload, uploadReportFile } from '../../src/modules/marketplace/contract/uploads.ts';
import { removalGoods, requests } from '../../src/modules/returns/contract/removals.ts';
import { callAs } from './support/api.ts';
import { expect, test } from './support/browser.ts';
import { choose } from './support/select.ts';
import { openScreen, pageOf, seriousFaults, settled } from './support/session.ts';

const PATH = '/amazon/sale/order/remove';
const REPORT = 'GET_FBA_FULFILLMENT_REMOVAL_ORDER_DETAIL_DATA';

let page: Page;

test.beforeAll(async ({ browser, baseURL }) => {
  page = await pageOf(browser, baseURL, { account: 'demo@example.com' });
});
test.afterAll(() => page.context().close());

/** A site of the demo with goods at Amazon, once its stock has been read, and how lists call it. */
async function siteWithGoods(): Promise<string> {
  let label = '';
  await expect
    .poll(
      async () => {
        const sites = await callAs(page, authMarketplace, {});
        const site = sites.find(({ value }) => value.startsWith('ATVPDKIKX0DER-'));
        label = site?.label ?? '';
        return site ? (await callAs(page, removalGoods, { body: { site: site.value } })).length : 0;
      },
      { timeout: 420_000 },
    )
    .toBeGreaterThan(0);
  return label;
}

/** The site that lists call so. */
async function siteOf(label: string): Promise<string> {
  return (await callAs(page, authMarketplace, {})).find((site) => site.label === label)?.value ?? '';
}

/** Amazon's report with an order of two pieces, as somebody downloads and uploads it: the product's own turn is hours away. */
async function tellByReport(site: string, number: string, sku: string): Promise<void> {
  const at = new Date().toISOString().replace(/\.\d{3}Z$/, '+00:00');
  const line = {
    'request-date': at,
    'order-id': number,
    'order-type': 'Disposal',
    'order-status': 'Pending',
    'last-updated-date': at,
    sku,
    fnsku: '',
    disposition: 'Sellable',
    'requested-quantity': 2,
    'cancelled-quantity': 0,
    'disposed-quantity': 0,
    'shipped-quantity': 0,
    'in-process-quantity': 2,
    'removal-fee': '',
    currency: '',
  };
  const text = [Object.keys(line), Object.values(line)].map((cells) => cells.join('\t')).join('\n');
  const jsessionid = await page.evaluate(() => localStorage.getItem('jsessionid') ?? '');
  const answer = await page.request.post(`/api${uploadReportFile.path}`, {
    headers: { jsessionid },
    multipart: {
      amazonauthid: site,
      requesttype: REPORT,
      file: { name: 'removals.txt', mimeType: 'text/plain', buffer: Buffer.from(`${text}\n`) },
    },
  });
  const { data } = await answer.json();
  expect(data.id, JSON.stringify(data)).toEqual(expect.any(String));
  await callAs(page, commitUpload, { params: { id: data.id } });
}

test('stock is asked out of Amazon’s warehouse here, taken, and told by the report', async () => {
  const site = await siteWithGoods();
  await openScreen(page, PATH, '移除订单');
  await page.getByRole('button', { name: '新建移除' }).first().click();
  const dialog = page.getByRole('dialog', { name: '新建移除' });
  await choose(dialog.getByRole('combobox', { name: /店铺\/站点/ }), site);
  await choose(dialog.getByRole('combobox', { name: /^类型/ }), '弃置');
  await dialog.getByRole('button', { name: /^提\s?交$/ }).click();
  await expect(dialog.getByRole('alert')).toContainText('请选择商品');
  await choose(dialog.getByRole('combobox', { name: '添加商品' }), '可售');
  await dialog.getByLabel(/ 可售$/).fill('2');
  await settled(page);
  await page.screenshot({ path: 'test-results/removal-create.png' });
  expect(await seriousFaults(page, '.ant-modal')).toEqual([]);
  await dialog.getByRole('button', { name: /^提\s?交$/ }).click();
  await expect(dialog).toBeHidden();
  const newest = async () => (await callAs(page, requests.list, { body: { filter: { type: 'Disposal' } } })).records[0];
  const number = (await newest())?.number ?? '';
  expect(number).toMatch(/^RM\d{6}-/);
  const row = page.getByRole('grid').getByRole('row', { name: new RegExp(number) });
  await expect(async () => {
    await page.getByRole('button', { name: '刷新' }).first().click();
    await expect(row).toContainText('已受理', { timeout: 3000 });
  }).toPass();
  await settled(page);
  await page.screenshot({ path: 'test-results/removal-requests.png' });
  expect(await seriousFaults(page)).toEqual([]);
  const asked = await newest();
  await tellByReport(await siteOf(site), number, asked?.product.code ?? '');
  await expect(async () => {
    await page.getByRole('button', { name: '刷新' }).first().click();
    await expect(row).toContainText('已出现', { timeout: 3000 });
  }).toPass();
  await row.getByRole('button', { name: number }).click();
  await expect(page.getByRole('tablist', { name: '状态' }).getByRole('tab', { selected: true })).toHaveText('移除订单');
  await expect(row).toContainText('待处理');
  await settled(page);
  await page.screenshot({ path: 'test-results/removal-orders.png' });
  expect(await seriousFaults(page)).toEqual([]);
});

import type { Page } from '@playwright/test';
import { listPriceRequests } from '../../src/modules/listing/contract/requests.ts';
import { type ListingRow, listListings } from '../../src/modules/listing/contract.ts';
import { callAs } from './support/api.ts';
import { expect, test } from './support/browser.ts';
import { choose } from './support/select.ts';
import { openScreen, pageOf, seriousFaults } from './support/session.ts';
import { tellMarket } from './support/shipping.ts';

test.describe.configure({ mode: 'serial' });

const SELLER = { sellingPartnerId: 'A1SANDBOX0001', region: 'na' };
const US = 'ATVPDKIKX0DER';

let page: Page;
let listing: ListingRow;

const front = () => page.locator('.page-document:visible');
const step = (name: string) => page.locator('.action-bar:visible').getByRole('button', { name, exact: true });
const dialog = (name: string) => page.getByRole('dialog', { name });
const state = () => front().locator('.document-head .tag').first();
const text = (value: string) => ({ value, language_tag: 'en_US', marketplace_id: US });

test.beforeAll(async ({ browser, baseURL }) => {
  page = await pageOf(browser, baseURL, { account: 'demo@example.com' });
  await expect
    .poll(async () => {
      const filter = { fulfilledBy: 'AMAZON' as const, state: ['ACTIVE' as const] };
      const { records } = await callAs(page, listListings, { body: { pagesize: 100, filter } });
      const found = records.find((one) => one.marketplaceId === US && one.price !== null);
      if (found) listing = found;
      return found !== undefined;
    })
    .toBe(true);
});
test.afterAll(() => page.context().close());

test("a title is written in Amazon's own form; what Seller Central changed meanwhile is kept, and both show in the end", async () => {
  await tellMarket({ action: 'settings', delayMs: [0, 200] }, 'listing');
  await openScreen(page, `/amazon/listing/products?f.keyword=${listing.sellerSku}`, '在线商品');
  // The same SKU is sold in other countries as well: only this one is changed behind the draft's back.
  const row = page.getByRole('row', { name: listing.product.name });
  await row.filter({ has: page.getByText('US', { exact: true }) }).dblclick();
  await page.locator('.detail-drawer').getByText('编辑Listing').click();
  await expect(front().getByRole('heading', { name: listing.sellerSku })).toBeVisible();
  expect(await seriousFaults(page)).toEqual([]);
  const title = front().getByRole('textbox', { name: '商品名称', exact: true });
  const mine = `${await title.inputValue()} Plus`;
  await title.fill(mine);
  await step('预校验').click();
  await expect(page.getByText('预校验通过').first()).toBeVisible();

  const change = { action: 'change', ...SELLER, marketplaceId: US, sku: listing.sellerSku };
  await tellMarket({ ...change, attributes: { color: [text('Teal')], item_name: [text('Their title')] } }, 'listing');
  await step('提交').click();
  const clash = dialog('商品已在卖家后台被修改');
  await expect(clash.getByText('Their title')).toBeVisible();
  await expect(clash.getByRole('button', { name: '合并到草稿' })).toBeDisabled();
  await clash.getByRole('radiogroup', { name: '商品名称保留哪一方' }).getByText('我的').click();
  expect(await seriousFaults(page)).toEqual([]);
  await clash.getByRole('button', { name: '合并到草稿' }).click();
  await expect(clash).toBeHidden();
  await step('提交').click();
  await expect(state()).toHaveText('已生效', { timeout: 240_000 });
  await front().getByRole('tab', { name: /版本/ }).click();
  await expect(front().getByRole('table', { name: '版本' }).getByRole('row')).toHaveCount(3);
});

test("Amazon's catalogue is searched, and says what may be sold", async () => {
  await openScreen(page, '/amazon/listing/catalog', '商品搜索');
  await page.getByPlaceholder('关键词，用分号隔开').fill(listing.product.name.split(' ')[0] ?? '');
  await page.getByRole('button', { name: '搜索', exact: true }).click();
  await expect(page.getByText('检查跟卖资格').or(page.getByText('跟卖资格')).first()).toBeVisible();
  expect(await seriousFaults(page)).toEqual([]);
});

test('a rule of prices is made, gets a listing and is put on trial', async () => {
  await openScreen(page, '/amazon/listing/repricing', '智能调价');
  await page.getByRole('button', { name: '新建规则' }).first().click();
  await dialog('新建智能调价规则').locator('[data-field="name"] input').fill('跟随购物车');
  expect(await seriousFaults(page)).toEqual([]);
  await dialog('新建智能调价规则')
    .getByRole('button', { name: /保\s*存|确\s*定/ })
    .click();
  await expect(dialog('新建智能调价规则')).toBeHidden();
  await page
    .getByRole('row', { name: /跟随购物车/ })
    .first()
    .dblclick();
  await front().locator('.state-actions').getByRole('button', { name: '绑定商品' }).click();
  const bind = dialog('绑定商品');
  await choose(bind.getByRole('combobox', { name: '店铺/站点' }), /美国/);
  await bind.getByLabel('商品与价格').fill(`${listing.sellerSku} 5.00 99.00`);
  expect(await seriousFaults(page)).toEqual([]);
  await bind.getByRole('button', { name: '绑定 1 个' }).click();
  await expect(bind).toBeHidden();
  await expect(front().getByText(listing.sellerSku).first()).toBeVisible();
  await front().locator('.document-head').getByRole('button', { name: '试运行' }).click();
  await expect(state()).toHaveText('试运行');
});

test('what lies too long, what is owed and what is charged too much open with their figures', async () => {
  await openScreen(page, '/amazon/inventory/planning', 'FBA库龄');
  await page.getByRole('button', { name: '仓储费率' }).click();
  await expect(dialog('仓储费率').getByRole('table', { name: '费率档位' })).toBeVisible();
  expect(await seriousFaults(page)).toEqual([]);
  await dialog('仓储费率')
    .getByRole('button', { name: /关\s*闭/ })
    .last()
    .click();
  await openScreen(page, '/amazon/report/claims', '索赔发现');
  await expect(page.getByRole('tab', { name: /候选/ })).toBeVisible();
  expect(await seriousFaults(page)).toEqual([]);
  await openScreen(page, '/amazon/report/fbafee', 'FBA费用');
  await expect(page.getByRole('tab', { name: /仅超收/ })).toBeVisible();
  expect(await seriousFaults(page)).toEqual([]);
});

test('a price below what a piece costs waits for somebody else; who asked can take it back', async () => {
  // What a piece costs is known once the demo asks for a low price itself.
  const waiting = async () => (await callAs(page, listPriceRequests, { body: { filter: {} } })).records;
  await expect.poll(async () => (await waiting()).length, { timeout: 240_000 }).toBeGreaterThan(0);
  const taken = (await waiting()).map(({ listingId }) => listingId);
  const filter = { fulfilledBy: 'MERCHANT' as const, state: ['ACTIVE' as const] };
  const { records } = await callAs(page, listListings, { body: { pagesize: 100, filter } });
  const own = records.find((one) => one.currency === 'JPY' && one.price !== null && !taken.includes(one.id));
  if (!own) throw new Error('nothing else is shipped by the merchant in Japan');
  await openScreen(page, `/amazon/listing/products?f.keyword=${own.sellerSku}`, '在线商品');
  const sold = page.getByRole('row', { name: own.product.name }).filter({ has: page.getByText('JP', { exact: true }) });
  await sold.getByRole('checkbox').check();
  await page.getByRole('button', { name: '调价 / 改库存' }).click();
  const adjust = page.getByRole('dialog', { name: /批量调价与改库存/ });
  await adjust.getByLabel(`${own.sellerSku} 新售价`).fill('10');
  expect(await seriousFaults(page)).toEqual([]);
  const submit = async () => {
    await adjust.getByRole('button', { name: '提交 1 个商品' }).click();
    await page.getByRole('button', { name: '确认调价' }).click();
  };
  await submit();
  await expect(adjust.getByRole('alert')).toContainText('请填写说明');
  await adjust.getByLabel('说明').fill('换季清仓');
  await submit();
  await expect(adjust).toBeHidden();
  await openScreen(page, '/amazon/sale/pricerequest', '低价申请');
  const asked = page.getByRole('row', { name: new RegExp(own.sellerSku) }).first();
  await expect(asked).toContainText('待审批');
  expect(await seriousFaults(page)).toEqual([]);
  await asked.getByRole('checkbox').check();
  await page.getByRole('button', { name: '撤回', exact: true }).click();
  await expect(asked).toContainText('已撤回');
  const again = await callAs(page, listListings, { body: { pagesize: 100, filter } });
  expect(again.records.find(({ id }) => id === own.id)?.price).toBe(own.price);
});

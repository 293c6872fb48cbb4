import type { Page } from '@playwright/test';
import { expect, test } from './support/browser.ts';
import { choose } from './support/select.ts';
import { logIn, openScreen, seriousFaults } from './support/session.ts';
import { approveOwn, demoStock, STOCKED_MS, type Stock, type StockApi, stockApi, WAREHOUSE } from './support/stock.ts';

test.describe.configure({ mode: 'serial' });

const OVERSEAS = '洛杉矶海外仓';

let page: Page;
let api: StockApi;
let goods: Stock[];

const product = (index: number): Stock => {
  const found = goods[index];
  if (!found) throw new Error(`the demo data has no product ${index}`);
  return found;
};

/** The part of the page that belongs to the tab in front. */
const front = () => page.locator('.page-document:visible');
const field = (name: string) => front().locator(`[data-field="${name}"]`);
const select = (name: string) => field(name).getByRole('combobox');
const steps = (name: string) => page.locator('.action-bar:visible').getByRole('button', { name, exact: true });
const state = () => front().locator('.document-head .tag').first();

/** Opens the form of a new document from its list, as a person does. */
async function create(path: string, title: string): Promise<void> {
  await openScreen(page, path, title);
  await page
    .getByRole('button', { name: `新增${title}` })
    .first()
    .click();
  await expect(front().getByRole('heading', { name: `新增${title}` })).toBeVisible();
}

/** Adds a product to the lines of the form. */
async function add(sku: string): Promise<void> {
  const picker = front().getByRole('combobox', { name: '输入 SKU、名称或条码添加' });
  await choose(picker, sku, sku);
  await expect(front().getByRole('row', { name: new RegExp(sku) })).toBeVisible();
}

async function take(step: string, then: string): Promise<void> {
  await steps(step).click();
  await expect(state()).toHaveText(then);
}

/** What a product has in a warehouse by status now. */
async function stockOf(of: Stock, warehouse: string): Promise<Record<string, number>> {
  const rows = await api.list<Stock & Record<string, number>>('inventory/report/base/list', {
    skus: [of.product.code],
  });
  return rows.find((one) => one.warehouse === warehouse) ?? {};
}

test.beforeAll(async ({ browser, baseURL, playwright }) => {
  test.setTimeout(STOCKED_MS + 60_000);
  const viewport = { width: 1600, height: 900 };
  const context = await browser.newContext({ baseURL: baseURL ?? '', viewport, locale: 'zh-CN' });
  page = await context.newPage();
  await logIn(page);
  api = await stockApi(page, playwright, baseURL);
  await approveOwn(api);
  goods = (await demoStock(api, 60)).slice(-6);
});
test.afterAll(async () => {
  await api.close();
  await page.context().close();
});

test('a count finds differences, and its approval brings the books to what is there', async () => {
  const [more, less] = [product(0), product(1)];
  await create('/erp/warehouse/stocktake', '盘点单');
  await choose(select('warehouseId'), WAREHOUSE);
  for (const one of [more, less]) await choose(select('products'), one.product.code, one.product.code);
  await page.keyboard.press('Escape');
  await steps('保存').click();
  await expect(state()).toHaveText('草稿');
  await take('开始盘点', '盘点中');
  const sheet = front().getByRole('table', { name: '盘点录入' });
  const countOf = (one: Stock) => sheet.getByRole('spinbutton', { name: `${one.product.code} 盘点数` });
  for (const [one, difference] of [
    [more, 2],
    [less, -3],
  ] as const) {
    const cells = sheet.getByRole('row', { name: new RegExp(one.product.code) });
    const book = Number((await cells.locator('td.num').first().textContent())?.replace(',', ''));
    await countOf(one)
      .first()
      .fill(String(book + difference));
    await expect(cells.first()).toContainText(difference > 0 ? `+${difference}` : `−${-difference}`);
  }
  // Nobody counted the other places of these products: their books stay.
  const rows = await sheet.locator('tbody tr').count();
  for (let index = 0; index < rows; index += 1) {
    const row = sheet.locator('tbody tr').nth(index);
    if ((await row.getByRole('spinbutton').first().inputValue()) === '') await row.getByRole('checkbox').check();
  }
  const save = front().getByRole('button', { name: '保存录入' });
  await save.click();
  await expect(front().getByText('未盘 0 /')).toBeVisible();
  // While it saves the button is neither one to press nor one that is off: its colours are judged afterwards.
  await expect(save).toBeDisabled();
  await expect(save).not.toHaveClass(/loading/);
  expect(await seriousFaults(page, '.page-document')).toEqual([]);
  await take('提交盘点', '待审批');
  const before = [await stockOf(more, WAREHOUSE), await stockOf(less, WAREHOUSE)];
  await take('通过', '已完成');
  expect((await stockOf(more, WAREHOUSE)).available).toBe((before[0]?.available ?? 0) + 2);
  expect((await stockOf(less, WAREHOUSE)).available).toBe((before[1]?.available ?? 0) - 3);
  await front()
    .getByRole('tab', { name: /库存流水/ })
    .click();
  const entries = front().getByRole('table', { name: '库存流水' });
  await expect(entries.getByRole('row', { name: new RegExp(more.product.code) })).toContainText('+2');
  await expect(entries.getByRole('row', { name: new RegExp(less.product.code) })).toContainText('−3');
});

test('the timeline of the product shows the count, which opens from there', async () => {
  const { code } = product(0).product;
  await openScreen(page, '/erp/inventory/report/base', '库存报表');
  await page.getByRole('textbox', { name: /SKU\/名称/ }).fill(code);
  await page.getByRole('button', { name: '查询' }).click();
  const row = page.getByRole('row').filter({ hasText: WAREHOUSE });
  await expect(row).toHaveCount(1);
  await row.getByText('库存走势').click();
  const drawer = page.getByRole('dialog');
  await expect(drawer.getByRole('img', { name: /每日库存/ })).toBeVisible();
  const documents = drawer.getByRole('table', { name: '期间单据' });
  const entry = documents.getByRole('row', { name: /盘点调整/ }).first();
  await expect(entry).toContainText('+2');
  const number = entry.getByText(/^PD\d+$/);
  const text = (await number.textContent()) ?? '';
  await number.click();
  await expect(front().getByRole('heading', { name: text })).toBeVisible();
});

test('a transfer is on its way, arrives in parts, and its freight is in the cost of what arrived', async () => {
  const goodsOf = product(2);
  const house = { name: '义乌中转仓', code: 'YW-A', kind: 'LOCAL', group: '义乌仓', country: 'CN' };
  await api.send('warehouse/save', house);
  await create('/erp/warehouse/transfer', '调库单');
  await choose(select('warehouseId'), WAREHOUSE);
  await choose(select('toWarehouseId'), house.name);
  await field('freight').getByRole('spinbutton').or(field('freight').getByRole('textbox')).fill('50');
  await choose(select('feeSplit'), '按数量');
  await add(goodsOf.product.code);
  await front()
    .getByRole('spinbutton', { name: `${goodsOf.product.code} 数量` })
    .fill('10');
  await steps('保存并提交').click();
  await expect(state()).toHaveText('待审核');
  const number = await front().getByRole('heading', { level: 1 }).textContent();
  await take('通过', '配货中');
  await take('发货', '已发货');
  expect((await stockOf(goodsOf, house.name)).inTransit).toBe(10);
  await expect(front().getByRole('table', { name: '明细' })).toContainText('50.00');
  await steps('收货').click();
  const dialog = page.getByRole('dialog', { name: '收货' });
  await dialog.getByRole('spinbutton').first().fill('4');
  await dialog.getByRole('button', { name: '收货', exact: true }).click();
  await expect(state()).toHaveText('部分收货');
  await steps('收货').click();
  await dialog.getByRole('button', { name: '收货', exact: true }).click();
  await expect(state()).toHaveText('已完成');
  const arrived = await stockOf(goodsOf, house.name);
  expect([arrived.inTransit, arrived.available]).toEqual([0, 10]);
  const layers = await api.list<{ number: string; warehouse: string; qtyLeft: number; unitCost: string }>(
    'inventory/layers',
    { sku: goodsOf.product.code },
  );
  const home = layers.find((one) => one.warehouse === WAREHOUSE);
  const mine = layers.filter((one) => one.number === number && one.warehouse === house.name);
  expect(mine.reduce((sum, one) => sum + one.qtyLeft, 0)).toBe(10);
  for (const one of mine) expect(Number(one.unitCost)).toBeCloseTo(Number(home?.unitCost) + 5, 3);
});

test('an order for the warehouse abroad is packed in boxes, sent and received in parts', async () => {
  const one = product(2);
  const before = await stockOf(one, OVERSEAS);
  await create('/erp/warehouse/overseas/stock', '海外仓备货单');
  await choose(select('warehouseId'), WAREHOUSE);
  await choose(select('toWarehouseId'), OVERSEAS);
  await add(one.product.code);
  await front()
    .getByRole('spinbutton', { name: `${one.product.code} 数量` })
    .fill('9');
  await steps('保存并提交').click();
  await expect(state()).toHaveText('待审核');
  await take('通过', '配货中');
  await take('完成配货', '装箱');
  await front().getByRole('tab', { name: /装箱/ }).click();
  await front().getByRole('spinbutton', { name: '每箱件数' }).fill('4');
  await front().getByRole('button', { name: '按SKU分箱' }).click();
  await expect(front().getByRole('spinbutton', { name: `第 3 箱 ${one.product.code}` })).toHaveValue('1');
  await front().getByRole('spinbutton', { name: '第 1 箱 重量(kg)' }).fill('12.5');
  await front().getByRole('button', { name: '保存装箱' }).click();
  await expect(front().getByRole('tab', { name: /装箱/ })).toContainText('3');
  expect(await seriousFaults(page, '.page-document')).toEqual([]);
  await front().getByRole('button', { name: '物流信息' }).click();
  const way = page.getByRole('dialog', { name: '物流信息' });
  await way.getByRole('textbox', { name: '物流商' }).fill('中远海运');
  await way.getByRole('button', { name: '保存' }).click();
  await expect(way).toBeHidden();
  await take('发货', '已发货');
  await steps('收货').click();
  const dialog = page.getByRole('dialog', { name: '收货' });
  await dialog.getByRole('spinbutton').first().fill('5');
  await dialog.getByRole('button', { name: '收货', exact: true }).click();
  await expect(state()).toHaveText('部分收货');
  await front().getByRole('button', { name: '更正收货' }).click();
  const totals = page.getByRole('dialog', { name: '更正收货' });
  await totals.getByRole('spinbutton').first().fill('9');
  await totals.getByRole('button', { name: '更正收货' }).click();
  await expect(state()).toHaveText('已完成');
  const after = await stockOf(one, OVERSEAS);
  expect([after.inTransit, after.available]).toEqual([before.inTransit ?? 0, (before.available ?? 0) + 9]);
});

test('a swap hands pieces, cost and age of one SKU to another', async () => {
  const [from, to] = [product(3), product(4)];
  const before = [await stockOf(from, WAREHOUSE), await stockOf(to, WAREHOUSE)];
  await create('/erp/warehouse/exchange', '代料单');
  await choose(select('warehouseId'), WAREHOUSE);
  await add(from.product.code);
  const target = front().getByRole('combobox', { name: '选择调入产品' });
  await choose(target, to.product.code, to.product.code);
  await front()
    .getByRole('spinbutton', { name: `${from.product.code} 数量` })
    .fill('6');
  await steps('保存并提交').click();
  await expect(state()).toHaveText('待审核');
  await take('通过', '已完成');
  const after = [await stockOf(from, WAREHOUSE), await stockOf(to, WAREHOUSE)];
  expect(after[0]?.available).toBe((before[0]?.available ?? 0) - 6);
  expect(after[1]?.available).toBe((before[1]?.available ?? 0) + 6);
  const worth = (row: Record<string, number> | undefined) => Number(row?.value);
  expect(worth(after[0]) + worth(after[1])).toBeCloseTo(worth(before[0]) + worth(before[1]), 3);
});

test('parts become a kit at the sum of their cost and the work, and the kit parts again', async () => {
  const [part, other, kit] = [product(3), product(4), product(5)];
  for (const type of ['组装', '拆分']) {
    const before = [await stockOf(part, WAREHOUSE), await stockOf(kit, WAREHOUSE)];
    await create('/erp/warehouse/assembly', '加工单');
    await choose(select('warehouseId'), WAREHOUSE);
    await choose(select('type'), type);
    const main = front().getByRole('combobox', { name: '选择主产品' });
    await choose(main, kit.product.code, kit.product.code);
    await field('qty').getByRole('spinbutton').fill('2');
    if (type === '组装') await field('otherFee').locator('input').fill('3');
    for (const one of [part, other]) {
      await add(one.product.code);
      await front()
        .getByRole('spinbutton', { name: `${one.product.code} 数量` })
        .fill('4');
    }
    await steps('保存并提交').click();
    await expect(state()).toHaveText('待审核');
    await take('通过', '待加工');
    await take('开始加工', '加工中');
    await take('完工入库', '已完成');
    const after = [await stockOf(part, WAREHOUSE), await stockOf(kit, WAREHOUSE)];
    const way = type === '组装' ? 1 : -1;
    expect(after[0]?.available).toBe((before[0]?.available ?? 0) - 4 * way);
    expect(after[1]?.available).toBe((before[1]?.available ?? 0) + 2 * way);
  }
});

test('the books of a third-party warehouse are brought to its list, and what was ticked has no difference left', async () => {
  const apart = async () => {
    const rows = await api.list<{ match: string }>('thirdparty/stock/list', {});
    return rows.filter(({ match }) => match === 'MORE' || match === 'LESS').length;
  };
  // Three of the demo, and whatever other stories took from there.
  const count = await apart();
  expect(count).toBeGreaterThanOrEqual(3);
  await openScreen(page, '/erp/oversea/inv', '三方仓对账');
  const list = page.locator('.page-list:visible');
  await list.locator('.ag-header .ag-checkbox-input').first().click();
  await list.getByRole('button', { name: `生成校正单 ${count}` }).click();
  const dialog = page.getByRole('dialog', {
    name: new RegExp(`^生成校正单：${count} 个产品，盘盈 \\d+ 件，盘亏 \\d+ 件$`),
  });
  await dialog.getByRole('textbox', { name: '原因' }).fill('月末对账');
  await dialog.getByRole('button', { name: '校正账面' }).click();
  await expect(page.getByText(/已按校正单 DZ\d+ 调整账面/)).toBeVisible();
  await expect(list.getByRole('button', { name: '生成校正单', exact: true }).first()).toBeDisabled();
  expect(await apart()).toBe(0);
});

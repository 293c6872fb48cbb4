import type { BrowserContext, Page } from '@playwright/test';
import { expect, test } from './support/browser.ts';
import { logIn, seriousFaults } from './support/session.ts';
import { approveOwn, demoStock, STOCKED_MS, type Stock, type StockApi, stockApi, WAREHOUSE } from './support/stock.ts';

test.describe.configure({ mode: 'serial' });

let context: BrowserContext;
let page: Page;
let api: StockApi;
let goods: Stock[];
let warehouseId: string;

/** Makes a document and brings it to where somebody with a scanner waits for it. */
async function approved(kind: string, lines: object[]): Promise<{ id: string; number: string }> {
  const saved = await api.send<{ id: string; number: string }>(`inventory/${kind}/saveData`, { warehouseId, lines });
  await api.send(`inventory/${kind}/submit`, { id: saved.id });
  await api.send(`inventory/${kind}/approve`, { id: saved.id });
  return saved;
}

/** Where a document stands; what was scanned is sent in the background. */
async function stateOf(kind: string, keyword: string): Promise<string | undefined> {
  return (await api.list<{ state: string }>(`inventory/${kind}/list`, { keyword }))[0]?.state;
}

async function scan(...codes: string[]): Promise<void> {
  for (const code of codes) {
    await page.keyboard.type(code);
    await page.keyboard.press('Enter');
  }
}

/** Opens the scan page, ready for the first code. */
async function start(): Promise<void> {
  await page.goto('/scancode');
  await expect(page.getByRole('textbox', { name: '扫描' })).toBeFocused();
}

const state = () => page.locator('.scan-state');
const product = (index: number): Stock => {
  const found = goods[index];
  if (!found) throw new Error(`the demo data has no product ${index}`);
  return found;
};

test.beforeAll(async ({ browser, baseURL, playwright }) => {
  test.setTimeout(STOCKED_MS + 60_000);
  context = await browser.newContext({
    baseURL: baseURL ?? '',
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    locale: 'zh-CN',
  });
  page = await context.newPage();
  await logIn(page);
  api = await stockApi(page, playwright, baseURL);
  await approveOwn(api);
  goods = await demoStock(api);
  warehouseId = product(0).warehouseId;
});
test.afterAll(async () => {
  await api.close();
  await context.close();
});

test('receives a document by scanning its pieces', async () => {
  const { number } = await approved('inwform', [{ productId: product(0).productId, qty: 3, unitCost: '5' }]);
  await start();
  await page.getByRole('combobox', { name: '仓库' }).selectOption({ label: WAREHOUSE });
  expect(await seriousFaults(page)).toEqual([]);
  await page.getByRole('button', { name: '收货' }).click();
  await page.getByRole('button', { name: new RegExp(number) }).click();
  await expect(page.getByText('已完成 0 / 1 行')).toBeVisible();
  await scan(product(0).product.code, product(0).product.code, product(0).product.code);
  await expect(page.getByText('已完成 1 / 1 行')).toBeVisible();
  await scan(product(1).product.code);
  await expect(page.getByRole('alertdialog', { name: '商品不匹配' })).toContainText('商品不在本单中');
  await page.getByRole('button', { name: '知道了，重新扫描' }).click();
  await page.getByRole('button', { name: '确认收货' }).click();
  await expect(state()).toHaveText('已同步');
  await expect.poll(() => stateOf('inwform', number)).toBe('done');
});

test('shelves without a network: what was done is sent in order when it is back, and a refusal says why', async () => {
  const places = await api.list<{ id: string; code: string; type: string }>('warehouse/shelf/list', {
    warehouses: [warehouseId],
  });
  const [first, second] = places.filter((one) => one.type !== 'STAGING');
  if (!first || !second) throw new Error('the demo data has no locations');
  await start();
  await page.getByRole('button', { name: '上架' }).click();
  await expect(page.getByText('扫描要上架的商品')).toBeVisible();
  await context.setOffline(true);
  const { code } = product(0).product;
  await scan(code, code, first.code);
  await page.getByRole('button', { name: '确认上架 2 件' }).click();
  await expect(state()).toHaveText('离线 1 条待传');
  await scan(code, `LOC.${second.id}`);
  await page.getByRole('button', { name: '确认上架 1 件' }).click();
  await expect(state()).toHaveText('离线 2 条待传');
  // Somebody closes the second place meanwhile.
  await api.send('warehouse/shelf/freeze', { ids: [second.id], frozen: true });
  await context.setOffline(false);
  await expect(state()).toHaveText('1 条被拒绝');
  const lying = () =>
    api.list<{ location: string; qty: number }>('warehouse/shelfInventory/list', { state: 'SHELVED', keyword: code });
  expect(await lying()).toMatchObject([{ location: first.code, qty: 2 }]);
  await state().click();
  await expect(page.getByText(`未成功：库位【${second.code}】已冻结，暂不支持库存操作`)).toBeVisible();
  await api.send('warehouse/shelf/freeze', { ids: [second.id], frozen: false });
  await page.getByRole('button', { name: '重试' }).click();
  await expect(page.getByText('全部操作都已上传。')).toBeVisible();
  expect(await lying()).toHaveLength(2);
});

test('what waits survives the end of the page and is sent by the next one', async () => {
  await start();
  await page.getByRole('button', { name: '下架' }).click();
  await expect(page.getByText('扫描库位').first()).toBeVisible();
  const [shelved] = await api.list<{ location: string; product: { code: string } }>('warehouse/shelfInventory/list', {
    state: 'SHELVED',
  });
  if (!shelved) throw new Error('nothing is shelved');
  await context.setOffline(true);
  await scan(shelved.location, shelved.product.code);
  await page.getByRole('button', { name: '确认下架 1 件' }).click();
  await expect(state()).toHaveText('离线 1 条待传');
  await page.close();
  await context.setOffline(false);
  page = await context.newPage();
  await page.goto('/scancode');
  await expect(state()).toHaveText('已同步');
  const [newest] = await api.list<{ action: string }>('inventory/shelf/operator/list', {});
  expect(newest?.action).toBe('库位·下架');
});

test('the page opens without a network, from what it is built from and nothing of the API', async () => {
  await start();
  const keptPaths = () =>
    page.evaluate(async () => {
      const cache = await caches.open('scan-page');
      return (await cache.keys()).map(({ url }) => new URL(url).pathname);
    });
  await expect.poll(async () => (await keptPaths()).length).toBeGreaterThan(5);
  await context.setOffline(true);
  // Nobody reaches the server, the worker neither: a file that is not kept is not there.
  const reached = await page.evaluate(() =>
    fetch('/logo.svg?again').then(
      () => true,
      () => false,
    ),
  );
  expect(reached).toBe(false);
  await page.reload();
  await expect(page.getByRole('heading', { name: '扫码作业' })).toBeVisible();
  await expect(page.getByText(/当前没有网络/)).toBeVisible();
  await expect(state()).toHaveText('离线');
  expect(
    (await keptPaths()).filter(
      (path) => !/^\/(assets\/|scancode$|theme\.js$|logo\.svg$|scan\.webmanifest$)/.test(path),
    ),
  ).toEqual([]);
  await context.setOffline(false);
  await expect(page.getByRole('textbox', { name: '扫描' })).toBeVisible();
});

test('a picker with the wrong product in hand sees a red page, and the right one goes out', async () => {
  const { number } = await approved('outwform', [
    { productId: product(1).productId, qty: 2 },
    { productId: product(2).productId, qty: 1 },
  ]);
  await start();
  await scan(number);
  await expect(page.getByText('已完成 0 / 2 行')).toBeVisible();
  await scan(product(2).product.code);
  const alarm = page.getByRole('alertdialog', { name: '商品不匹配' });
  await expect(alarm).toContainText(`商品不匹配：应为 ${product(1).product.code}`);
  expect(await seriousFaults(page)).toEqual([]);
  await page.getByRole('button', { name: '知道了，重新扫描' }).click();
  await scan(product(1).product.code, product(1).product.code);
  await page.getByRole('button', { name: '本行完成' }).click();
  await scan(product(2).product.code);
  await page.getByRole('button', { name: '本行完成' }).click();
  await expect(page.getByText('已完成 2 / 2 行')).toBeVisible();
  await expect(state()).toHaveText('已同步');
  await expect.poll(() => stateOf('outwform', number)).toBe('picked');
});

test('a count by scanner finds the difference', async () => {
  const { productId, product: cell, available } = product(2);
  const saved = await api.send<{ id: string; number: string }>('inventory/stockTaking/saveData', {
    warehouseId,
    mode: 'LIVE',
    type: 'PRODUCT',
    products: [productId],
    locations: [],
  });
  await api.send('inventory/stockTaking/start', { id: saved.id });
  await start();
  await scan(saved.number);
  await page.getByRole('spinbutton', { name: `${cell.code} 数量` }).fill(String(available));
  await page.getByRole('button', { name: '提交盘点数' }).click();
  await expect(state()).toHaveText('已同步');
  type Counted = { countedQty: number | null; bookQty: number; diff: number };
  const counting = async () => {
    const { lines } = await api.get<{ lines: Counted[] }>(`inventory/stockTaking/getData/${saved.id}`);
    return lines.find((line) => line.countedQty !== null);
  };
  await expect.poll(async () => (await counting())?.countedQty).toBe(available);
  const counted = await counting();
  expect(counted?.diff).toBe(available - (counted?.bookQty ?? 0));
});

test('a product goes its whole way by scanner: from the supplier to a shelf, and from there to the customer', async () => {
  const { productId, product: cell } = product(4);
  const places = await api.list<{ id: string; code: string; type: string }>('warehouse/shelf/list', {
    warehouses: [warehouseId],
  });
  const shelf = places.filter((one) => one.type === 'STORAGE').at(-1);
  if (!shelf) throw new Error('the demo data has no shelf');
  const bought = await approved('inwform', [{ productId, qty: 2, unitCost: '5' }]);
  await start();
  await scan(bought.number);
  await expect(page.getByText('已完成 0 / 1 行')).toBeVisible();
  await scan(cell.code, cell.code);
  await page.getByRole('button', { name: '确认收货' }).click();
  await expect.poll(() => stateOf('inwform', bought.number)).toBe('done');
  await start();
  await page.getByRole('button', { name: '上架' }).click();
  await expect(page.getByText('扫描要上架的商品')).toBeVisible();
  await scan(cell.code, cell.code, shelf.code);
  await page.getByRole('button', { name: '确认上架 2 件' }).click();
  await expect(state()).toHaveText('已同步');
  const lying = () =>
    api.list<{ location: string; qty: number }>('warehouse/shelfInventory/list', {
      state: 'SHELVED',
      keyword: cell.code,
    });
  await expect.poll(async () => (await lying())[0]).toMatchObject({ location: shelf.code, qty: 2 });
  const sold = await approved('outwform', [{ productId, qty: 2, locationId: shelf.id }]);
  await start();
  await scan(sold.number);
  await expect(page.getByText('已完成 0 / 1 行')).toBeVisible();
  await scan(cell.code, cell.code);
  await page.getByRole('button', { name: '本行完成' }).click();
  await expect.poll(() => stateOf('outwform', sold.number)).toBe('picked');
  await api.send('inventory/outwform/ship', { id: sold.id });
  expect(await lying()).toEqual([]);
  const gone = await api.list<{ location: string; status: string; qty: number }>('inventory/record/list', {
    number: sold.number,
    status: 'RESERVED',
  });
  expect(gone.map((one) => [one.location, one.qty]).toSorted()).toEqual([
    [shelf.code, -2],
    [shelf.code, 2],
  ]);
});

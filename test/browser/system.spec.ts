import type { Page } from '@playwright/test';
import { inTurn } from '../support/depth.ts';
import { expect, test } from './support/browser.ts';
import { logIn, openScreen, seriousFaults, settled } from './support/session.ts';

test.describe.configure({ mode: 'serial' });

let page: Page;

test.beforeAll(async ({ browser, baseURL }) => {
  const context = await browser.newContext({
    baseURL: baseURL ?? '',
    viewport: { width: 1600, height: 900 },
    locale: 'zh-CN',
  });
  page = await context.newPage();
  await logIn(page);
});
test.afterAll(() => page.context().close());

test('a dictionary of the platform is covered by an item of the company and shown again', async () => {
  await openScreen(page, '/sys/dict', '数据字典');
  await page.getByRole('button', { name: '币种' }).click();
  const euro = page.getByRole('row', { name: /EUR/ });
  await euro.getByRole('button', { name: '覆盖' }).click();
  await page.getByRole('dialog').getByLabel('数据项名称').fill('欧洲元');
  await page.getByRole('dialog').getByRole('button', { name: '保存' }).click();
  await expect(euro).toContainText('欧洲元');
  await expect(euro).toContainText('本公司（覆盖）');
  await euro.getByRole('button', { name: '更多操作' }).click();
  await page.getByText('恢复平台数据项').click();
  await page.getByRole('dialog').getByRole('button', { name: '删除数据项' }).click();
  await expect(euro).not.toContainText('欧洲元');
});

test('a day is made a holiday with a click, and the year counts one workday less', async () => {
  await openScreen(page, '/sys/holiday', '节假日');
  const year = page.getByText(/^\d+ 个工作日 · /);
  const workdays = async () => Number.parseInt((await year.textContent()) ?? '', 10);
  await expect(year).toBeVisible();
  const before = await workdays();
  // Whatever year it is, the last workday of its last month is one.
  const name = await page
    .getByRole('button', { name: /^\d{4}-12-\d\d 工作日/ })
    .last()
    .getAttribute('aria-label');
  const day = page.getByRole('button', { name: new RegExp(`^${name?.slice(0, 10)}`) });
  await day.click();
  await expect(day).toHaveAccessibleName(/周末/);
  await expect.poll(workdays).toBe(before - 1);
  for (const kind of ['节日', '调休', '工作日']) {
    await day.click();
    await expect(day).toHaveAccessibleName(new RegExp(kind));
  }
});

test('tags: a group, a tag, and both are gone again', async () => {
  await openScreen(page, '/sys/tags', '标签');
  await page.getByRole('button', { name: '新增标签组' }).first().click();
  await page.getByRole('dialog').getByLabel('标签组名称').fill('商品阶段');
  await page.getByRole('dialog').getByRole('button', { name: '保存' }).click();
  await page.getByRole('button', { name: '新增标签', exact: true }).click();
  await page.getByRole('dialog').getByLabel('标签名称').fill('热销');
  await page.getByRole('dialog').getByRole('button', { name: '保存' }).click();
  await expect(page.getByRole('row', { name: /热销/ })).toContainText('启用');
});

test('what was done is in the log, field by field, and the log is whole', async () => {
  await openScreen(page, '/sys/operlog', '操作日志');
  await page.locator('.ag-row').first().click();
  await page.locator('.ag-row').first().getByText('详情').click();
  await expect(page.getByRole('table', { name: '变更内容' })).toContainText('热销');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: '校验' }).click();
  await expect(page.getByText(/日志完整，已校验\d+条/)).toBeVisible();
});

test("a list of networks without one's own address is refused in place", async () => {
  await openScreen(page, '/sys/security', '安全设置');
  await page.getByRole('combobox', { name: 'IP 允许名单' }).fill('203.0.113.0/24');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: '保存' }).click();
  await expect(page.getByText(/名单不包含您当前的 IP 地址/)).toBeVisible();
  await page.getByRole('button', { name: '放弃' }).click();
});

const SCREENS: [path: string, title: string][] = [
  ['/sys/dict', '数据字典'],
  ['/sys/holiday', '节假日'],
  ['/sys/tags', '标签'],
  ['/sys/task', '任务'],
  ['/sys/security', '安全设置'],
  ['/sys/online', '在线用户'],
  ['/sys/loginlog', '登录日志'],
  ['/sys/operlog', '操作日志'],
  ['/doc/api/index', '接口文档'],
];

test('nothing serious stands in the way of assistive technology', async () => {
  test.setTimeout(300_000);
  for (const [path, title] of inTurn(SCREENS, 4)) {
    await openScreen(page, path, title);
    await settled(page);
    expect(await seriousFaults(page), title).toEqual([]);
  }
});

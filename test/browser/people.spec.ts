import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { Page } from '@playwright/test';
import { writeSheet } from '../../src/kit/server/excel/write.ts';
import { listDepartments } from '../../src/modules/identity/contract/departments.ts';
import { listSubUsers, type SubUserRow } from '../../src/modules/identity/contract/sub-users.ts';
import { userInfo } from '../../src/modules/identity/contract/users.ts';
import { callAs, sendAs } from './support/api.ts';
import { expect, inProof, test } from './support/browser.ts';
import { type Colleague, emptyBrowser, firstLogIn, hire, knock, roleWith } from './support/people.ts';
import { openScreen, pageOf } from './support/session.ts';

test.describe.configure({ mode: 'serial' });

const run = Date.now().toString(36);

let owner: Page;
let desk: Page;
let who: Colleague;

test.beforeAll(async ({ browser, baseURL }) => {
  owner = await pageOf(browser, baseURL);
  who = await hire(owner, '方亦舟', [await roleWith(owner, '订单助理', ['amz:order:view'])]);
  desk = await emptyBrowser(browser, baseURL);
  await firstLogIn(desk, who);
});
test.afterAll(async () => {
  for (const page of [owner, desk]) await page.context().close();
});

async function find(account: string): Promise<SubUserRow | undefined> {
  const body = { currentpage: 1, pagesize: 10, filter: { search: account } };
  return (await callAs(owner, listSubUsers, { body })).records.find((row) => row.account === account);
}

/** The list with one person in it. */
async function openPerson(account: string): Promise<void> {
  await openScreen(owner, '/sys/subuser', '子账号');
  await owner.getByPlaceholder('用户名、账号').fill(account);
  await owner.keyboard.press('Enter');
  await expect(owner.locator('.ag-row').filter({ hasText: account }).first()).toBeVisible();
  await expect(owner.locator('.ag-row[row-index="1"]')).toHaveCount(0);
}

/** Chooses one of what can be done with the first row; again where the list was drawn anew under the hand. */
async function act(name: string): Promise<void> {
  const item = owner.getByRole('menuitem', { name, exact: true });
  await expect(async () => {
    if (!(await item.isVisible())) await owner.getByRole('button', { name: '更多操作' }).first().click();
    await item.click({ timeout: 20_000 });
    await expect(item).toBeHidden({ timeout: 10_000 });
  }).toPass();
}

const POP = { light: 'rgb(255, 255, 255)', black: 'rgb(31, 35, 40)' };

/** Says yes to what was asked for, in the theme of the page. */
async function confirm(name: string | RegExp): Promise<void> {
  const ground = POP[test.info().project.name === 'black' ? 'black' : 'light'];
  await expect(owner.locator('.ant-modal-confirm .ant-modal-container').last()).toHaveCSS('background-color', ground);
  await owner.getByRole('dialog').getByRole('button', { name }).last().click();
}

async function workbook(rows: readonly (readonly string[])[]): Promise<Buffer> {
  const titles = ['用户名', '登录账号', '部门', '角色'];
  const out = new PassThrough();
  const columns = titles.map((title, at) => ({
    title,
    kind: 'text' as const,
    value: (row: Record<string, unknown>) => String(row[at] ?? ''),
  }));
  const lines = (async function* () {
    for (const row of rows) yield { ...row };
  })();
  const read = buffer(out);
  await writeSheet(out, { format: 'xlsx', sheet: '子账号', columns }, lines);
  return read;
}

test('a sheet with a bad row is refused as a whole, row by row; put right it hires them all', async () => {
  const [first, second] = [`i1-${run}@example.com`, `i2-${run}@example.com`];
  await openScreen(owner, '/sys/subuser', '子账号');
  await owner.getByRole('button', { name: '导入', exact: true }).click();
  const dialog = owner.getByRole('dialog', { name: '导入子账号' });
  const give = async (rows: string[][]) =>
    dialog.locator('input[type=file]').setInputFiles({
      name: 'people.xlsx',
      mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      buffer: await workbook(rows),
    });
  await give([
    ['季舒', first, '', ''],
    ['叶岚', 'kein Konto', '没有的部门', ''],
  ]);
  await expect(dialog.getByText('登录账号须为手机号或邮箱')).toBeVisible();
  await expect(dialog.getByText('部门不存在')).toBeVisible();
  await expect(dialog.getByRole('button', { name: /^写入/ })).toBeDisabled();
  expect(await find(first)).toBeUndefined();

  await dialog.getByRole('button', { name: '换文件' }).click();
  await give([
    ['季舒', first, '', ''],
    ['叶岚', second, '', ''],
  ]);
  await dialog.getByRole('button', { name: /写入 2 行/ }).click();
  const secret = owner.getByRole('dialog', { name: '请记下密码' });
  await expect(secret.locator('.code')).toHaveCount(2);
  await secret.getByRole('button', { name: '已记下' }).click();
  for (const account of [first, second]) expect((await find(account))?.state).toBe('active');
});

test('who is forced off stands at the log-in at his next step', async () => {
  await openPerson(who.account);
  await act('强制下线');
  await expect(owner.getByText('已下线 1 个会话')).toBeVisible();
  expect((await sendAs(desk, userInfo, {})).status).toBe(401);
  await desk.goto('/amazon/sale/order/list?title=订单列表&path=/amazon/sale/order/list');
  await expect(desk).toHaveURL(/\/login/);
});

inProof('a password that was reset is shown once, counts alone, and has to be changed', async () => {
  await act('重置密码');
  await confirm('重置密码');
  const secret = owner.getByRole('dialog', { name: '请记下密码' });
  const made = (await secret.locator('.code').last().textContent()) ?? '';
  await secret.getByRole('button', { name: '已记下' }).click();
  await knock(desk, who.account, who.password);
  await expect(desk.getByText('登录失败：账号或密码错误')).toBeVisible();
  who.password = made;
  await firstLogIn(desk, who, 'Leuchtturm-7');
});

test('disabled: out at once, no log-in; enabled again he is back', async () => {
  await openPerson(who.account);
  await act('停用');
  await confirm(/停\s*用/);
  await expect(owner.getByText('已停用并下线')).toBeVisible();
  expect((await find(who.account))?.state).toBe('disabled');
  expect((await sendAs(desk, userInfo, {})).status).toBe(401);
  await knock(desk, who.account, who.password);
  await expect(desk.getByText(/登录失败：/)).toBeVisible();
  await expect(desk).toHaveURL(/\/login/);
  await act('启用');
  await expect(owner.getByText('已启用', { exact: true })).toBeVisible();
  expect((await find(who.account))?.state).toBe('active');
});

test('who leaves hands over to a colleague and is disabled with it', async () => {
  await openPerson(who.account);
  await act('离职交接');
  const dialog = owner.getByRole('dialog', { name: `离职交接：${who.name}` });
  await expect(dialog.getByRole('table', { name: '交接内容' }).getByRole('row').nth(1)).toBeVisible();
  await dialog.getByRole('combobox', { name: '接收人' }).fill('陈浩');
  await owner.locator('.ant-select-item-option', { hasText: '陈浩' }).click();
  await dialog
    .getByRole('button', { name: /交\s*接/ })
    .last()
    .click();
  await expect(owner.getByText(/已交接 \d+ 项，账号已停用/)).toBeVisible();
  expect((await find(who.account))?.state).toBe('disabled');
});

test('a department is made below another one, and one with people in it is not deleted', async () => {
  const name = `跨境组${run}`;
  await openScreen(owner, '/sys/dept', '部门');
  const parent = owner.getByRole('row', { name: /采购部/ }).first();
  await parent.getByRole('button', { name: '更多操作' }).click();
  await owner.getByRole('menuitem', { name: '新增下级' }).click();
  const dialog = owner.getByRole('dialog', { name: '新增部门' });
  await dialog.getByLabel('部门名称').fill(name);
  await dialog.getByRole('button', { name: /保\s*存/ }).click();
  const row = owner.getByRole('row', { name: new RegExp(name) });
  await expect(row).toBeVisible();
  const depts = await callAs(owner, listDepartments, {});
  const above = depts.find((dept) => dept.name === '采购部');
  expect(depts.find((dept) => dept.name === name)?.parentId).toBe(above?.id);
  await parent.getByRole('button', { name: '更多操作' }).click();
  await expect(owner.getByRole('menuitem', { name: '删除' })).toBeDisabled();
  await owner.keyboard.press('Escape');
  await row.getByRole('button', { name: '更多操作' }).click();
  await owner.getByRole('menuitem', { name: '删除' }).last().click();
  await confirm(/删\s*除/);
  await expect(owner.getByText('部门已删除')).toBeVisible();
  await expect(row).toHaveCount(0);
});

import type { Page } from '@playwright/test';
import { listLoginLog, listOnline } from '../../src/modules/identity/contract/security.ts';
import { userInfo } from '../../src/modules/identity/contract/users.ts';
import { exportOrders } from '../../src/modules/order/contract/orders.ts';
import { listJobs } from '../../src/modules/system/contract/jobs.ts';
import { listSchedules, scheduleRuns } from '../../src/modules/system/contract/schedules.ts';
import { cancelTask } from '../../src/modules/system/contract.ts';
import { callAs, sendAs } from './support/api.ts';
import { expect, inProof, test } from './support/browser.ts';
import { emptyBrowser, knock } from './support/people.ts';
import { logIn, openScreen, pageOf } from './support/session.ts';

test.describe.configure({ mode: 'serial' });

const MEMBER = { account: 'yunying@example.com', password: 'Demo-2026!' };

let owner: Page;
let member: Page;

test.beforeAll(async ({ browser, baseURL }) => {
  owner = await pageOf(browser, baseURL);
  member = await emptyBrowser(browser, baseURL);
});
test.afterAll(async () => {
  for (const page of [owner, member]) await page.context().close();
});

const firstRow = () => owner.locator('.ag-row[row-index="0"]').first();

/** Chooses one of what can be done with the first row. */
async function act(name: string): Promise<void> {
  await owner.locator('.row-actions').first().getByRole('button', { name: '更多操作' }).click();
  await owner.getByRole('menuitem', { name, exact: true }).click();
}

test('scheduled work is run now, and its run is in the book', async () => {
  await openScreen(owner, '/sys/task', '任务');
  const [schedule] = (await callAs(owner, listSchedules, { body: { currentpage: 1, pagesize: 20 } })).records;
  if (!schedule) throw new Error('nothing is scheduled');
  const runs = async () => {
    const all = await callAs(owner, scheduleRuns, { query: { id: schedule.id } });
    return all.filter((run) => run.askedBy !== null);
  };
  const before = (await runs()).length;
  await expect(firstRow()).toContainText(schedule.title);
  await owner.getByRole('button', { name: '执行一次' }).first().click();
  await expect(owner.getByText('已加入执行队列')).toBeVisible();
  await expect.poll(async () => (await runs()).length).toBe(before + 1);
  await act('执行记录');
  await expect(owner.getByRole('table', { name: '执行记录' }).locator('tbody tr').first()).toBeVisible();
});

test('a long task that was cancelled is begun again, and ends with a file', async () => {
  const taskId = (await callAs(owner, exportOrders, { body: {} })).taskId;
  await callAs(owner, cancelTask, { params: { id: taskId } });
  const state = async () => {
    const { records } = await callAs(owner, listJobs, { body: { currentpage: 1, pagesize: 10 } });
    return records.find((job) => job.id === taskId)?.state;
  };
  await expect.poll(state).toBe('cancelled');
  await openScreen(owner, '/sys/task?tab=jobs', '任务');
  await owner.locator('.ant-segmented-item', { hasText: '长任务' }).click();
  await expect(firstRow()).toContainText('导出订单');
  await act('重试');
  await expect.poll(state, { timeout: 180_000 }).toBe('done');
  await owner.getByRole('button', { name: '刷新' }).first().click();
  await owner.locator('.row-actions').first().getByRole('button', { name: '更多操作' }).click();
  const begun = owner.waitForEvent('download');
  await owner.getByRole('menuitem', { name: '下载结果' }).click();
  expect((await begun).suggestedFilename()).toMatch(/\.xlsx$/);
});

inProof('who is online is seen and sent out; what he tried at the door is in the log', async () => {
  await knock(member, MEMBER.account, 'falsch-1A');
  await expect(member.getByText('登录失败：账号或密码错误')).toBeVisible();
  await logIn(member, MEMBER);
  const body = { currentpage: 1, pagesize: 10, filter: { search: MEMBER.account } };
  const { records } = await callAs(owner, listLoginLog, { body });
  expect(records.slice(0, 2).map((line) => line.result)).toEqual(['ok', 'failed']);
  await openScreen(owner, '/sys/loginlog', '登录日志');
  await expect(firstRow()).toContainText(MEMBER.account);

  await openScreen(owner, '/sys/online', '在线用户');
  await owner.getByPlaceholder('用户、账号').fill('林悦');
  await owner.keyboard.press('Enter');
  await expect(firstRow()).toContainText('林悦');
  const online = async () => (await callAs(owner, listOnline, { body: { currentpage: 1, pagesize: 100 } })).total;
  const before = await online();
  await owner.getByRole('button', { name: '强退' }).first().click();
  await owner
    .getByRole('dialog')
    .getByRole('button', { name: /强\s*退/ })
    .click();
  await expect(owner.getByText('已强退1个会话')).toBeVisible();
  expect(await online()).toBe(before - 1);
  expect((await sendAs(member, userInfo, {})).status).toBe(401);
  await member.goto('/usercenter');
  await expect(member).toHaveURL(/\/login/);
});

test('a call is found in its documentation, read and tried', async () => {
  await openScreen(owner, '/doc/api/index', '接口文档');
  await owner.getByLabel('名称、地址或权限').fill(userInfo.path);
  await owner.getByRole('list', { name: '接口' }).getByRole('button').first().click();
  await expect(owner.locator('.api-path')).toContainText(userInfo.path);
  await owner.getByRole('button', { name: '调用接口' }).click();
  await expect(owner.locator('pre.api-code').last()).toContainText('demo@example.com');
});

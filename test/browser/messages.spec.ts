import type { Page } from '@playwright/test';
import { listAnnouncements, retractAnnounce } from '../../src/modules/message/contract/announcements.ts';
import { inTurn } from '../support/depth.ts';
import { callAs } from './support/api.ts';
import { expect, inProof, test } from './support/browser.ts';
import { rowsOf } from './support/captcha.ts';
import { logIn, openHome, openScreen, pageOf, seriousFaults, settled } from './support/session.ts';

test.describe.configure({ mode: 'serial' });

const TITLE = '周五 20:00 停机维护';
let owner: Page;
let member: Page;

test.beforeAll(async ({ browser, baseURL }) => {
  owner = await pageOf(browser, baseURL);
  member = await pageOf(browser, baseURL, { account: 'yunying@example.com' });
  await openHome(member);
});
test.afterAll(async () => {
  // Whatever a story ended with: what pops up in front of everybody must not stand before the stories of others.
  const { records } = await callAs(owner, listAnnouncements, { body: { filter: { state: 'published' } } });
  for (const { id, title } of records) if (title === TITLE) await callAs(owner, retractAnnounce, { params: { id } });
  for (const page of [owner, member]) await page.context().close();
});

const bell = (page: Page) => page.getByRole('button', { name: /^消息/ });
const drawerOf = (page: Page) => page.getByRole('dialog', { name: '消息' });

test('somebody who wants announcements by mail says so in the user centre', async () => {
  await openScreen(member, '/usercenter', '个人中心');
  await member.getByRole('tab', { name: '消息订阅' }).click();
  const box = member.getByRole('checkbox', { name: '系统与团队公告：邮件' });
  if (!(await box.isChecked())) await box.click();
  await expect(box).toBeChecked();
});

test('an announcement is published, pops up in front of a colleague without reloading, and is counted', async () => {
  await openScreen(owner, '/sys/notify', '公告发布');
  await owner.getByRole('button', { name: '发布团队公告' }).first().click();
  const dialog = owner.getByRole('dialog', { name: /发布团队公告/ });
  await dialog.getByRole('textbox', { name: '标题', exact: true }).fill(TITLE);
  await dialog.getByLabel('消息类型').click();
  await owner.locator('.ant-select-item-option').filter({ hasText: '即时' }).click();
  await dialog.getByRole('textbox', { name: '内容' }).fill('届时无法登录，请提前保存。<img src=x onerror=alert(1)>');
  await dialog
    .getByRole('button', { name: /发\s*布/ })
    .last()
    .click();
  await expect(owner.getByRole('row', { name: new RegExp(TITLE) })).toContainText('已发布');

  // The publisher belongs to the company too.
  const own = owner.getByRole('dialog', { name: TITLE });
  await own.getByRole('button', { name: '我知道了' }).click();
  await expect(own).toBeHidden();
  const popup = member.getByRole('dialog', { name: TITLE });
  await expect(popup).toContainText('届时无法登录');
  // What looks like markup is text.
  await expect(popup.locator('.message-popup img')).toHaveCount(0);
  await expect(popup).toContainText('onerror');
  await popup.getByRole('button', { name: '稍后再看' }).click();
  await expect(popup).toBeHidden();
  await expect(bell(member)).toHaveAccessibleName(/消息，[1-9]\d* 条未读/);
});

test('the drawer counts by type; reading takes one off, the publisher sees who has read', async () => {
  await bell(member).click();
  const drawer = drawerOf(member);
  await expect(drawer.getByRole('tab', { name: /我的提醒/ })).toHaveAttribute('aria-selected', 'true');
  const sys = drawer.getByRole('tab', { name: /系统消息/ });
  await expect(sys).toContainText('1');
  await sys.click();
  await drawer.getByRole('button', { name: new RegExp(TITLE) }).click();
  const shown = member.getByRole('dialog').filter({ hasText: '届时无法登录' }).last();
  await expect(shown).toBeVisible();
  await shown.getByRole('button', { name: /确\s*定/ }).click();
  await expect(sys).not.toContainText('1');
  await member.keyboard.press('Escape');

  await owner.getByRole('button', { name: '刷新' }).click();
  const cell = owner.getByRole('row', { name: new RegExp(TITLE) }).locator('[col-id=readCount]');
  await expect(cell).toHaveText('2');
});

test('the mail that nobody delivers here is in the record, and says why', async () => {
  // Mails go out by a job of the worker, which may have others before it.
  const sent = () => rowsOf("SELECT FROM kit.outbox WHERE target = 'yunying@example.com' AND purpose = 'reminder'");
  await expect.poll(async () => (await sent()).length, { timeout: 180_000 }).toBeGreaterThan(0);
  await openScreen(owner, '/sys/delivery', '发送记录');
  const row = owner.getByRole('row', { name: new RegExp(TITLE) }).first();
  await expect(row).toContainText('yunying@example.com');
  await expect(row).toContainText('存入发件箱');
  await expect(row).toContainText('未配置邮件服务');
  const [kept] = await rowsOf<{ text: string }>(
    "SELECT text FROM kit.outbox WHERE target = 'yunying@example.com' AND purpose = 'reminder' ORDER BY id DESC LIMIT 1",
  );
  expect(kept?.text).toContain(TITLE);
});

test('a log that somebody touched is found, told, and the message leads to the log', async () => {
  const [touched] = await rowsOf<{ id: string; action: string }>(
    `SELECT a.id, a.action FROM kit.audit a JOIN identity.member m ON m.company_id = a.company_id
      WHERE m.account = 'demo@example.com' ORDER BY a.id LIMIT 1`,
  );
  await openScreen(owner, '/sys/operlog', '操作日志');
  const check = owner.getByRole('button', { name: /校\s*验/ });
  await check.click();
  await expect(owner.getByText(/日志完整，已校验\d+条/)).toBeVisible();
  try {
    await rowsOf("UPDATE kit.audit SET action = '改过' WHERE id = $1", [touched?.id]);
    await check.click();
    await expect(owner.getByText('已被改动').first()).toBeVisible();
    await expect(bell(owner)).toHaveAccessibleName(/条未读/);
    await openScreen(owner, '/home', '首页');
    await bell(owner).click();
    const drawer = drawerOf(owner);
    await drawer.getByRole('button', { name: /操作日志校验未通过/ }).click();
    await expect(drawer).toBeHidden();
    await expect(owner.getByRole('tab', { name: '操作日志' })).toHaveAttribute('aria-selected', 'true');
    await expect(owner.getByText('该条日志的内容被改动').first()).toBeVisible();
  } finally {
    await rowsOf('UPDATE kit.audit SET action = $2 WHERE id = $1', [touched?.id, touched?.action]);
  }
  await check.click();
  await expect(owner.getByText(/日志完整，已校验\d+条/).last()).toBeVisible();
});

inProof('a list, a message and a mark that cannot be had say so, and so does a log-out', async () => {
  const cut = (path: string) => owner.route(`**/${path}*`, (route) => route.abort());
  await openScreen(owner, '/home', '首页');
  await cut('notify/getRemind');
  await bell(owner).click();
  await expect(owner.getByText('消息列表加载失败')).toBeVisible();
  await owner.unroute('**/notify/getRemind*');
  await drawerOf(owner)
    .getByRole('button', { name: /重\s*试/ })
    .click();
  // What was examined counts as read already, and what is about no document opens nothing.
  const row = drawerOf(owner)
    .locator('button.message.is-unread', { hasText: /待审核|待您审批/ })
    .first();
  await expect(row).toBeVisible();
  await cut('notify/updateAllTargets');
  await drawerOf(owner).getByRole('button', { name: '全部标为已读' }).click();
  await expect(owner.getByText('标记已读失败')).toBeVisible();
  await cut('notify/batchReadMessage');
  await row.click();
  await expect(owner.getByText('查看消息失败')).toBeVisible();
  await expect(drawerOf(owner)).toBeHidden();
  await owner.unroute('**/notify/batchReadMessage*');
  await owner.unroute('**/notify/updateAllTargets*');

  await openScreen(member, '/home', '首页');
  const leave = async () => {
    await member.getByRole('button', { name: '账号', exact: true }).click();
    await member.getByRole('menuitem', { name: '退出登录' }).click();
  };
  await member.route('**/auth/apilogout*', (route) => route.abort());
  await leave();
  await expect(member.getByText('退出失败')).toBeVisible();
  await member.unroute('**/auth/apilogout*');
  await leave();
  await expect(member.getByText('退出成功')).toBeVisible();
  await expect(member).toHaveURL(/\/login/);
  await logIn(member, { account: 'yunying@example.com' });
  await openHome(member);
});

test('the message centre: by state, one read, then all, and the badge is gone', async () => {
  await openScreen(owner, '/sys/message', '消息中心');
  const unread = owner.getByRole('tab', { name: /^未读/ });
  await unread.click();
  const first = owner.locator('.ag-row').first();
  await expect(first).toBeVisible();
  await owner.getByRole('button', { name: '全部标为已读' }).first().click();
  await expect(owner.getByText('已全部标记为已读')).toBeVisible();
  await expect(bell(owner)).toHaveAccessibleName('消息');
  await expect(
    owner
      .getByText('没有符合条件')
      .or(owner.getByText(/没有.*消息/))
      .first(),
  ).toBeVisible();
  await owner.getByRole('tab', { name: /^已读/ }).click();
  await owner.getByPlaceholder('标题').fill('操作日志校验');
  await owner.keyboard.press('Enter');
  await expect(owner.getByRole('row', { name: /操作日志校验未通过/ }).first()).toBeVisible();
});

test('an announcement that is taken back is gone from everybody’s messages', async () => {
  await openScreen(owner, '/sys/notify', '公告发布');
  const row = owner.getByRole('row', { name: new RegExp(TITLE) });
  await row.getByRole('button', { name: '更多操作' }).click();
  await owner.getByRole('menuitem', { name: '撤回' }).click();
  await owner.getByRole('button', { name: '撤回公告' }).click();
  await expect(owner.getByText('公告已撤回')).toBeVisible();
  await openScreen(member, '/sys/message', '消息中心');
  await settled(member);
  await expect(member.getByRole('row', { name: new RegExp(TITLE) })).toHaveCount(0);
});

inProof('messages without serious findings', async () => {
  const screens = [
    ['/sys/message', '消息中心'],
    ['/sys/notify', '公告发布'],
    ['/sys/delivery', '发送记录'],
  ] as const;
  for (const [path, title] of inTurn(screens, 3)) {
    await openScreen(owner, path, title);
    await settled(owner);
    expect(await seriousFaults(owner), title).toEqual([]);
  }
  await bell(owner).click();
  await expect(drawerOf(owner).getByRole('tab', { name: /系统消息/ })).toBeVisible();
  expect(await seriousFaults(owner, '.message-drawer')).toEqual([]);
  await owner.keyboard.press('Escape');
});

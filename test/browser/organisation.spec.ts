import { expect, test } from './support/browser.ts';
import { choose } from './support/select.ts';
import { logIn, openScreen } from './support/session.ts';

test('an owner makes a role from a template, hires somebody with it, and sees why he can and cannot', async ({ page }, {
  retry,
}) => {
  // A second try finds what the first one left.
  const name = `客服一组${retry || ''}`;
  const account = `kefu${retry || ''}@example.com`;
  await logIn(page);
  await openScreen(page, '/sys/ruleAuth', '角色权限');
  await page.getByRole('button', { name: '添加角色' }).click();
  const role = page.getByRole('dialog', { name: '添加角色' });
  await role.getByLabel('角色名称').fill(name);
  await role.getByRole('button', { name: /添\s*加/ }).click();
  await expect(page.getByRole('button', { name }).first()).toBeVisible();
  await page.getByRole('checkbox', { name: '查看订单' }).first().check();
  // What is ticked while the save is under way is not lost when its answer comes.
  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/roles/*', async (route) => {
    if (route.request().method() === 'PUT') await held;
    await route.continue();
  });
  const other = page.getByRole('checkbox', { name: '导出订单' }).first();
  const saving = page.waitForRequest((request) => request.method() === 'PUT' && request.url().includes('/roles/'));
  await page.getByRole('button', { name: '保存权限' }).click();
  await saving;
  await other.check();
  const read = page.waitForResponse((response) => response.url().endsWith('/permissions'));
  answer();
  await expect(page.getByText('已保存，持有该角色的人几秒内生效')).toBeVisible();
  await read;
  await expect(page.getByText(/^1 处未保存/)).toBeVisible();
  await expect(other).toBeChecked();
  await page.getByRole('button', { name: '放弃' }).click();
  await expect(other).not.toBeChecked();
  await page.unroute('**/roles/*');
  await page.getByRole('button', { name: '权限预览' }).click();
  const preview = page.locator('.detail-drawer');
  await expect(preview.getByText('订单列表')).toBeVisible();
  await expect(preview.getByText('amz:order:view')).toBeVisible();
  await expect(preview.getByText('采购单', { exact: true })).toBeHidden();
  await page.keyboard.press('Escape');
  await expect(preview).toBeHidden();

  await page.getByRole('button', { name: '权限对比' }).click();
  const compare = page.getByRole('dialog', { name: '权限对比' });
  await choose(compare.getByRole('combobox', { name: '另一个角色' }), '采购');
  const rows = compare.getByRole('row');
  const line = rows.filter({ has: page.getByRole('cell', { name: '查看订单', exact: true }) }).first();
  await expect(line.getByRole('cell').nth(2).getByLabel('有')).toBeVisible();
  await expect(line.getByRole('cell').nth(3).getByLabel('无')).toBeVisible();
  await expect(compare.getByText(/^相同 \d+，仅前者 1，仅后者 \d+$/)).toBeVisible();
  const different = await rows.count();
  await compare.getByRole('switch', { name: '显示全部' }).click();
  await expect.poll(() => rows.count()).toBeGreaterThan(different);
  await page.keyboard.press('Escape');

  await openScreen(page, '/sys/subuser', '子账号');
  await page.getByRole('button', { name: '添加子账号' }).click();
  const drawer = page.locator('.detail-drawer');
  await drawer.getByLabel('用户名').fill('周子昂');
  await drawer.getByLabel('登录账号').fill(account);
  await drawer.getByRole('tab', { name: /角色/ }).click();
  await drawer.getByRole('checkbox', { name, exact: true }).check();
  await drawer.getByRole('button', { name: '添加子账号' }).click();
  const secret = page.getByRole('dialog', { name: '请记下密码' });
  await expect(secret.getByText(account)).toBeVisible();
  await secret.getByRole('button', { name: '已记下' }).click();
  await expect(page.getByText('周子昂').first()).toBeVisible();
});

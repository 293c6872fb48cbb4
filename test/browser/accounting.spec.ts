import type { Page } from '@playwright/test';
import { previewRule } from '../../src/modules/accounting/contract/rules.ts';
import { applyTemplate, bookState, subjectChoices } from '../../src/modules/accounting/contract/subjects.ts';
import { saveVoucher, voucherSteps } from '../../src/modules/accounting/contract/voucher-calls.ts';
import { callAs } from './support/api.ts';
import { expect, test } from './support/browser.ts';
import { openScreen, pageOf, seriousFaults, settled } from './support/session.ts';

/** Who writes vouchers, and who approves them. */
let page: Page;
let boss: Page;
/** The amount of this run, which no other voucher has. */
const AMOUNT = `${1000 + (Date.now() % 8999)}.37`;

test.beforeAll(async ({ browser, baseURL }) => {
  page = await pageOf(browser, baseURL, { account: 'caiwu@example.com' });
  boss = await pageOf(browser, baseURL, { account: 'demo@example.com' });
  // The demo may not have come to its books yet: they begin the same way by hand.
  const { startMonth } = await callAs(boss, bookState, { body: {} });
  if (startMonth === null)
    await callAs(boss, applyTemplate, { body: { startMonth: `${new Date().getFullYear()}-01` } });
});
test.afterAll(async () => {
  await page.context().close();
  await boss.context().close();
});

test('the chart of accounts is a tree by code', async () => {
  await openScreen(page, '/fin/subjects', '科目');
  const tree = page.getByRole('table', { name: '科目' });
  await expect(tree.getByRole('row', { name: /1001.*库存现金/ })).toBeVisible();
  await expect(tree.getByRole('row', { name: /5801.*所得税费用/ })).toBeAttached();
  await tree.getByRole('button', { name: '收起 1012' }).click();
  await expect(tree.getByRole('row', { name: /101201/ })).toHaveCount(0);
  await tree.getByRole('button', { name: '展开 1012' }).click();
  await expect(tree.getByRole('row', { name: /101201/ })).toBeVisible();
  await settled(page);
  expect(await seriousFaults(page)).toEqual([]);
  await page.screenshot({ path: 'test-results/gl-subjects.png' });
});

test('a voucher is entered by keyboard and posted, and its figure leads back to it', async () => {
  await openScreen(page, '/fin/voucher/create', '录入凭证');
  await page.getByLabel('第1行摘要').fill('购办公用品');
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('第1行科目')).toBeFocused();
  await page.keyboard.type('BGF');
  await expect(page.locator('.ant-select-item-option').filter({ hasText: '管理费用-办公费' })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('第1行借方金额')).toBeFocused();
  await page.keyboard.type(AMOUNT);
  await expect(page.getByText(`借贷不平衡，差额 ${AMOUNT}`)).toBeVisible();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('第2行摘要')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('第2行摘要')).toHaveValue('购办公用品');
  await page.keyboard.type('1002');
  await expect(page.locator('.ant-select-item-option').filter({ hasText: '1002 银行存款' })).toBeVisible();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('第2行贷方金额')).toBeFocused();
  await page.keyboard.press('=');
  await expect(page.getByLabel('第2行贷方金额')).toHaveValue(AMOUNT);
  await expect(page.getByText('借贷平衡')).toBeVisible();
  expect(await seriousFaults(page)).toEqual([]);
  await page.screenshot({ path: 'test-results/gl-create.png' });
  await page.getByRole('button', { name: '提交审核' }).click();
  const number = await page.locator('h1.code').textContent();
  await openScreen(boss, '/fin/voucher/list', '凭证');
  await boss.getByRole('link', { name: number ?? '' }).click();
  for (const step of [/^审\s?核$/, /^过\s?账$/]) await boss.getByRole('button', { name: step }).click();
  await expect(boss.getByText(`凭证 ${number} 过账成功`)).toBeVisible();
  await expect(boss.getByRole('table', { name: '分录' })).toContainText('管理费用-办公费');
  await settled(boss);
  expect(await seriousFaults(boss)).toEqual([]);
  await boss.screenshot({ path: 'test-results/gl-voucher.png' });

  await openScreen(boss, '/fin/ledger/balance', '科目余额表');
  const office = boss.getByRole('table', { name: '科目余额表' }).getByRole('row', { name: /560202/ });
  await expect(office).toContainText('办公费');
  await settled(boss);
  expect(await seriousFaults(boss)).toEqual([]);
  await boss.screenshot({ path: 'test-results/gl-balance.png' });
  await office.getByRole('link').first().click();
  const ledger = boss.getByRole('table', { name: '明细账' });
  await expect(ledger.getByRole('row', { name: new RegExp(number ?? '') })).toContainText(AMOUNT.slice(-6));
  await settled(boss);
  expect(await seriousFaults(boss)).toEqual([]);
  await boss.screenshot({ path: 'test-results/gl-ledger.png' });
  await ledger.getByRole('link', { name: number ?? '' }).click();
  await expect(boss.locator('h1.code').last()).toHaveText(number ?? '');
});

test('the months of the books say which of them is closed next', async () => {
  await openScreen(boss, '/fin/periods', '结账');
  await boss.getByRole('table', { name: '会计期间' }).getByRole('button', { name: '结账' }).click();
  const dialog = boss.getByRole('dialog', { name: /^结账 \d{4}-\d\d$/ });
  await expect(dialog.getByText('试算平衡')).toBeVisible();
  await settled(boss);
  expect(await seriousFaults(boss)).toEqual([]);
  await boss.screenshot({ path: 'test-results/gl-periods.png' });
  await dialog.getByRole('button', { name: /^取\s?消$/ }).click();
  await expect(dialog).toBeHidden();
});

test('an amount of the balance sheet leads to its subjects, their entries and the voucher', async () => {
  const ids = new Map((await callAs(page, subjectChoices, { body: {} })).map(({ code, id }) => [code, id]));
  const line = (code: string, debit: string, credit: string) => ({
    summary: '股东投入',
    subjectId: ids.get(code) ?? '',
    debit,
    credit,
  });
  const day = await page.evaluate(() => new Date().toLocaleDateString('en-CA', { timeZone: 'Asia/Shanghai' }));
  const lines = [line('1002', '88.08', ''), line('3001', '', '88.08')];
  const { id, number } = await callAs(page, saveVoucher, { body: { type: 'RECEIPT', day, attachments: 0, lines } });
  await callAs(page, voucherSteps.submit, { body: { id } });
  for (const step of ['approve', 'post'] as const) await callAs(boss, voucherSteps[step], { body: { id } });

  await openScreen(boss, '/fin/report', '财务报表');
  for (const [name, table] of [
    ['现金流量表', '现金流量表'],
    ['利润表', '利润表'],
    ['资产负债表', '资产'],
  ] as const) {
    await boss.getByRole('tab', { name }).click();
    await expect(boss.getByRole('table', { name: table, exact: true })).toBeVisible();
    await expect(boss.getByText(/不一致|不等于/)).toHaveCount(0);
    await settled(boss);
    expect(await seriousFaults(boss)).toEqual([]);
    await boss.screenshot({ path: `test-results/gl-report-${table}-${test.info().project.name}.png` });
  }
  await boss.getByRole('button', { name: /^货币资金 期末余额/ }).click();
  const parts = boss.getByRole('table', { name: '构成' });
  await expect(
    parts
      .getByRole('row', { name: /1012/ })
      .or(parts.getByRole('row', { name: /1002/ }))
      .first(),
  ).toBeVisible();
  await settled(boss);
  expect(await seriousFaults(boss)).toEqual([]);
  await boss.screenshot({ path: `test-results/gl-report-parts-${test.info().project.name}.png` });
  await parts.getByRole('row', { name: /1002/ }).getByRole('link').first().click();
  const ledger = boss.getByRole('table', { name: '明细账' });
  await ledger.getByRole('link', { name: number }).click();
  await expect(boss.locator('h1.code').last()).toHaveText(number);

  await openScreen(boss, '/fin/report', '财务报表');
  await boss.getByRole('tab', { name: '现金流量表' }).click();
  await boss.getByRole('button', { name: /^吸收投资者投资收到的现金 本月金额/ }).click();
  await parts.getByRole('row', { name: /3001/ }).getByRole('link').last().click();
  await expect(boss.getByRole('link', { name: number })).toBeVisible();

  await openScreen(boss, '/fin/ledger/general', '总账');
  await expect(boss.getByRole('table', { name: '总账' }).getByRole('link', { name: '1002' })).toBeVisible();
  await settled(boss);
  expect(await seriousFaults(boss)).toEqual([]);
  await boss.screenshot({ path: `test-results/gl-general-${test.info().project.name}.png` });
});

test('a rule is looked at, tried on a month and kept, and the business makes its vouchers', async () => {
  // The demo's goods move after its books begin. Its days are those of China.
  const month = new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 7);
  const rule = { by: 'MONTH' as const, active: true, subjects: {} };
  const moved = async () =>
    (await callAs(boss, previewRule, { body: { source: 'warehouse.stock', month, rule } })).vouchers;
  await expect.poll(moved, { timeout: 180_000 }).toBeGreaterThan(0);
  await openScreen(boss, '/fin/rules', '凭证模板');
  const rules = boss.getByRole('table', { name: '凭证模板' });
  for (const name of ['亚马逊结算', '资金与往来', '出入库', 'FBA销售成本', '费用单'])
    await expect(rules.getByRole('button', { name, exact: true })).toBeVisible();
  await settled(boss);
  expect(await seriousFaults(boss)).toEqual([]);
  await boss.screenshot({ path: 'test-results/gl-rules.png' });
  await rules.getByRole('button', { name: '出入库', exact: true }).click();
  const dialog = boss.getByRole('dialog', { name: '凭证模板 出入库' });
  await expect(dialog.getByRole('list', { name: '科目' })).toContainText('盘盈亏');
  await boss.screenshot({ path: 'test-results/gl-rule.png' });
  await dialog.getByRole('tab', { name: '预览' }).click();
  await expect(dialog.getByText(/\d+ 笔业务，\d+ 张凭证/)).toBeVisible();
  await settled(boss);
  expect(await seriousFaults(boss)).toEqual([]);
  await boss.screenshot({ path: 'test-results/gl-preview.png' });
  await dialog.getByRole('button', { name: '保存为新版本' }).click();
  await expect(boss.getByText(/出入库 已保存为版本 \d+/)).toBeVisible();

  // Not the name of the tab that is open beside it.
  await openScreen(boss, '/fin/voucher/list', '全部凭证');
  await boss.getByRole('button', { name: '业务生成凭证' }).first().click();
  const form = boss.getByRole('dialog', { name: '业务生成凭证' });
  await form.getByLabel('业务月份').fill(month);
  await form.getByRole('button', { name: /^生\s?成$/ }).click();
  await expect(boss.locator('.ant-modal-confirm-title')).toHaveText(/生成 \d+ 张草稿/);
  await boss.screenshot({ path: 'test-results/gl-made.png' });
  await boss.getByRole('button', { name: '知道了' }).click();
  await boss
    .getByRole('row', { name: /出入库/ })
    .first()
    .getByRole('link')
    .first()
    .click();
  await boss.getByRole('tab', { name: /来源/ }).click();
  await expect(boss.getByRole('table', { name: '来源' }).getByRole('row')).not.toHaveCount(1);
});

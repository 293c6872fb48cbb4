import type { Page } from '@playwright/test';
import { batchData } from '../../src/modules/jobcost/contract/batch.ts';
import { listBatches } from '../../src/modules/jobcost/contract/batches.ts';
import { callAs } from './support/api.ts';
import { expect, test } from './support/browser.ts';
import { openScreen, pageOf, seriousFaults, settled } from './support/session.ts';

let page: Page;

test.beforeAll(async ({ browser, baseURL }) => {
  page = await pageOf(browser, baseURL, { account: 'demo@example.com' });
});
test.afterAll(() => page.context().close());

test('a batch opens down to its layers, and its cost is corrected with a reason', async () => {
  const list = async () => (await callAs(page, listBatches, { body: { filter: {} } })).records;
  await expect.poll(async () => (await list()).length).toBeGreaterThan(0);
  const [batch] = await list();
  await openScreen(page, '/finance/jobCosting', '批次成本');
  const row = page
    .getByRole('grid')
    .getByRole('row', { name: new RegExp(batch?.msku ?? '') })
    .first();
  await expect(row).toContainText(batch?.number ?? '');
  await settled(page);
  await page.screenshot({ path: 'test-results/job-costing-list.png' });
  expect(await seriousFaults(page)).toEqual([]);
  await row.dblclick();
  await expect(page.getByRole('tab', { name: /扣减明细/ })).toBeVisible();
  await expect(page.getByText('总成本', { exact: true })).toBeVisible();
  await settled(page);
  await page.screenshot({ path: 'test-results/job-costing-detail.png' });
  expect(await seriousFaults(page)).toEqual([]);
  await page.getByRole('tab', { name: /^成本层/ }).click();
  await expect(page.getByRole('table', { name: '成本层' }).getByRole('row').nth(1)).toBeVisible();
  await page.screenshot({ path: 'test-results/job-costing-layers.png' });
  // Another value each time the story runs: one that is there already is refused.
  const shown = await callAs(page, batchData, { params: { id: batch?.id ?? '' } });
  const wanted = (Number(shown.batch.purchase) + 10 + test.info().retry).toFixed(2);
  await page.getByRole('button', { name: '修改成本' }).click();
  const dialog = page.getByRole('dialog', { name: /^修改成本/ });
  await dialog.getByLabel('新成本').fill(wanted);
  await dialog.getByLabel('原因').fill('供应商发票更正');
  await page.screenshot({ path: 'test-results/job-costing-dialog.png' });
  await dialog.getByRole('button', { name: '修改', exact: true }).click();
  await expect(dialog).toBeHidden();
  await page.getByRole('tab', { name: /成本变动/ }).click();
  const changes = page.getByRole('table', { name: '成本变动' });
  await expect(changes.getByRole('row', { name: /供应商发票更正/ }).last()).toContainText('采购成本');
  const after = await callAs(page, batchData, { params: { id: batch?.id ?? '' } });
  expect(Number(after.batch.purchase)).toBe(Number(wanted));
  await settled(page);
  await page.screenshot({ path: 'test-results/job-costing-changes.png' });
  expect(await seriousFaults(page)).toEqual([]);
});

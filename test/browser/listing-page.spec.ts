import type { Page } from '@playwright/test';
import { listAplus } from '../../src/modules/aplus/contract/documents.ts';
import { callAs } from './support/api.ts';
import { expect, test } from './support/browser.ts';
import { openScreen, pageOf, seriousFaults } from './support/session.ts';
import { tellMarket } from './support/shipping.ts';

test.describe.configure({ mode: 'serial' });

let page: Page;

const front = () => page.locator('.page-document:visible');
const state = () => front().locator('.document-head .tag').first();
const step = (name: string) => page.locator('.action-bar:visible').getByRole('button', { name, exact: true });

test.beforeAll(async ({ browser, baseURL }) => {
  page = await pageOf(browser, baseURL, { account: 'demo@example.com' });
});
test.afterAll(() => page.context().close());

test('A+ content is written, checked, sent, submitted and published, each step as Amazon tells it', async () => {
  // Decided when it is looked at next: otherwise the decision comes with the next reading of all documents.
  await tellMarket({ action: 'settings', delayMs: [0, 0] }, 'aplus');
  const published = async () => {
    const { records } = await callAs(page, listAplus, { body: { filter: { name: 'story' } } });
    return records.find(({ store }) => store.country === 'US');
  };
  await expect.poll(published).toMatchObject({ state: 'PUBLISHED' });
  await openScreen(page, '/amazon/listing/aplus', 'A+内容');
  expect(await seriousFaults(page)).toEqual([]);
  const words = `Made for each day ${test.info().retry}`;
  const row = page.getByRole('row', { name: /story/ }).filter({ has: page.getByText('US', { exact: true }) });
  await row.getByText('编辑', { exact: true }).click();
  await front().getByRole('textbox', { name: '标题', exact: true }).first().fill(words);
  await expect(front().locator('.aplus-right').getByText(words)).toBeVisible();
  expect(await seriousFaults(page)).toEqual([]);
  await step('校验').click();
  await expect(page.getByText('校验通过').first()).toBeVisible();
  await step('保存到亚马逊').click();
  await expect(state()).toHaveText('亚马逊草稿');
  await step('提交审核').click();
  await expect(state()).toHaveText('已发布');
  await expect(front().locator('.aplus-right').getByText(words)).toBeVisible();
});

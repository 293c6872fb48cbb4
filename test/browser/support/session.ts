import { createHash, randomBytes } from 'node:crypto';
import AxeBuilder from '@axe-core/playwright';
import type { Browser, Page } from '@playwright/test';
import { test as base, expect } from './browser.ts';
import { passCaptcha, rowsOf } from './captcha.ts';

const DEMO = { account: 'demo@example.com', password: 'Demo-2026!' };

/** A session of somebody of the demo company, as a log-in would have opened it. */
async function mintSession(account: string): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  const rows = await rowsOf(
    `INSERT INTO identity.session (company_id, token_hash, member_id, login_type, expires_at)
     SELECT company_id, $2, id, 'api', kit.now() + interval '12 hours' FROM identity.member
      WHERE account = $1 AND deleted_at IS NULL
     RETURNING id`,
    [account, createHash('sha256').update(token).digest('hex')],
  );
  if (rows.length !== 1) throw new Error(`${rows.length} people have the account ${account}`);
  return token;
}

/**
 * Logs in as a person does: account, password, captcha, home. Somebody of the demo whose password is not told has a session
 * at once and no page yet: the story opens what it is about.
 */
export async function logIn(page: Page, who: Partial<typeof DEMO> = {}): Promise<void> {
  const { account, password } = { ...DEMO, ...who };
  if (who.password === undefined) {
    // Any answer of the product's opens its storage; one without a page costs nothing.
    await page.goto('/healthz');
    await page.evaluate(
      ([id, time]) => {
        localStorage.setItem('jsessionid', id);
        localStorage.setItem('jsessiontime', time);
        localStorage.setItem('logintype', 'api');
      },
      [await mintSession(account), String(Date.now())] as const,
    );
    return;
  }
  await page.goto('/login');
  await page.getByPlaceholder('手机号或邮箱').fill(account);
  await page.getByPlaceholder('请输入密码').fill(password);
  await page.keyboard.press('Enter');
  await passCaptcha(page);
  await atHome(page);
}

/** Opens the home page of whoever is logged in. */
export async function openHome(page: Page): Promise<void> {
  await page.goto('/home');
  await atHome(page);
}

async function atHome(page: Page): Promise<void> {
  await expect(page).toHaveURL(/\/home/);
  await inTheme(page);
}

/** Says whether a page is drawn in the theme of the run: who opens a browser of his own must not leave it behind. */
async function inTheme(page: Page): Promise<void> {
  await expect(page.locator('html')).toHaveAttribute('data-theme', base.info().project.name);
}

/** A browser of its own for somebody, logged in. */
export async function pageOf(
  browser: Browser,
  baseURL: string | undefined,
  who: Partial<typeof DEMO> = {},
): Promise<Page> {
  const viewport = { width: 1600, height: 900 };
  const context = await browser.newContext({ baseURL: baseURL ?? '', viewport, locale: 'zh-CN' });
  const page = await context.newPage();
  await logIn(page, who);
  return page;
}

/** Opens a screen in its tab, as the menu would; the path may bring a query. */
export async function openScreen(page: Page, path: string, title: string): Promise<void> {
  const [bare = path, query] = path.split('?');
  await page.goto(`${bare}?${query ? `${query}&` : ''}title=${encodeURIComponent(title)}&path=${bare}`);
  // The page may have tabs of the same name.
  await expect(page.getByRole('tablist', { name: '页签' }).getByRole('tab', { name: title })).toBeVisible();
  await inTheme(page);
}

/** Waits until nothing on the page says that it is still being fetched; polls and pushes go on. */
export async function settled(page: Page): Promise<void> {
  await page.waitForLoadState('load');
  await expect(page.locator('[aria-busy="true"], .ant-skeleton, .ant-spin-spinning').first()).toBeHidden();
  await expect(page.getByText('正在加载')).toHaveCount(0);
}

/** Faults that stand in the way of assistive technology, one line each; of one part of the page, or of all. */
export async function seriousFaults(page: Page, part?: string): Promise<string[]> {
  // What is still on its way in has not the colours yet that it will have.
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .every((each) => each.playState !== 'running' || each.effect?.getComputedTiming().iterations === Infinity),
  );
  // Of what is in order nothing is told: where each of thousands of cells stands takes most of the time.
  const builder = new AxeBuilder({ page }).options({ resultTypes: ['violations'] });
  const { violations } = await (part ? builder.include(part) : builder).analyze();
  return violations
    .filter((each) => ['serious', 'critical'].includes(each.impact ?? ''))
    .map((each) => `${each.id}: ${each.nodes[0]?.html.slice(0, 160)}`);
}

import type { Page } from '@playwright/test';
import { expect, inProof, test } from './support/browser.ts';
import { clickWords, drag, passCaptcha, sentCode, sliderAnswer, wordsAnswer } from './support/captcha.ts';
import { hire, roleWith } from './support/people.ts';
import { logIn, pageOf, seriousFaults, settled } from './support/session.ts';

const PICTURE = 310;
const SHOWN = 330;
const PHONE = '13700001234';
const PASSWORD = 'Hafen-2026!';
const NEW_PASSWORD = 'Leuchtturm-7';

/** What a colour of the theme is on this page, as the browser computes it. */
function colourOf(page: Page, name: string): Promise<string> {
  return page.evaluate((variable) => {
    const probe = document.body.appendChild(document.createElement('i'));
    probe.style.color = `var(${variable})`;
    const { color } = getComputedStyle(probe);
    probe.remove();
    return color;
  }, name);
}

async function begin(page: Page, account: string, password: string): Promise<void> {
  await page.goto('/login');
  await page.getByPlaceholder('手机号或邮箱').fill(account);
  await page.getByPlaceholder('请输入密码').fill(password);
  await page.keyboard.press('Enter');
}

test('a company registers itself: every check in its order, a code by phone, and it is in', async ({ page }) => {
  await page.goto('/login');
  await page.getByRole('link', { name: '注册新账号' }).click();
  const submit = page.getByRole('button', { name: '同意条款并注册' });
  const alert = page.locator('.login-error');
  const steps: [string, string, string][] = [
    ['手机号不能为空', '手机号', PHONE],
    ['邮箱不能为空', '邮箱', 'neu@example.com'],
    ['用户名不能为空', '用户名', '沈望舒'],
    ['公司名称不能为空', '公司名称', '望舒贸易'],
  ];
  for (const [problem, label, value] of steps) {
    await submit.click();
    await expect(alert).toHaveText(problem);
    await page.getByLabel(label, { exact: true }).fill(value);
  }
  await submit.click();
  await expect(alert).toHaveText('密码不能为空');
  await page.getByLabel('密码', { exact: true }).fill('abcdefgh');
  await submit.click();
  await expect(alert).toHaveText('密码须包含数字、小写字母、大写字母、特殊符号中的至少三种，长度为8-30位');
  await page.getByLabel('密码', { exact: true }).fill(PASSWORD);
  await submit.click();
  await expect(alert).toHaveText('请再次输入密码');
  await page.getByLabel('确认密码').fill('etwas anderes');
  await submit.click();
  await expect(alert).toHaveText('两次输入的密码不一致');
  await page.getByLabel('确认密码').fill(PASSWORD);
  await submit.click();
  await expect(alert).toHaveText('验证码不能为空');
  await page.getByRole('button', { name: '获取验证码' }).click();
  await expect(page.getByRole('button', { name: /重新获取（\d+s）/ })).toBeDisabled();
  await page.getByLabel('验证码', { exact: true }).fill(await sentCode(PHONE));
  await submit.click();
  await expect(page.getByText('注册成功')).toBeVisible();
  await expect(page).toHaveURL(/\/login/);

  await logIn(page, { account: PHONE, password: PASSWORD });
  await expect(page.locator('.frame-account')).toContainText('望舒贸易');
  await page.getByRole('navigation', { name: '主菜单' }).getByRole('button', { name: '授权' }).click();
  await expect(page.getByText('还没有授权的店铺').or(page.getByText('店铺管理')).first()).toBeVisible();
  await page.goto('/amazon/sale/order/list?title=订单列表&path=/amazon/sale/order/list');
  await expect(page.getByRole('heading', { name: /^还没有订单/ })).toBeVisible();
});

test('who forgot his password resets it in three steps, and the old one is worth nothing', async ({
  page,
  browser,
  baseURL,
}) => {
  const owner = await pageOf(browser, baseURL);
  const lost = await hire(owner, '忘了密码的同事', [await roleWith(owner, '忘了密码', [])]);
  await owner.context().close();

  await page.goto('/login');
  await page.getByRole('link', { name: '忘记密码' }).click();
  const now = page.locator('.door-steps [aria-current=step]');
  await expect(now).toContainText('身份验证');
  await page.getByRole('button', { name: '下一步' }).click();
  await expect(page.locator('.login-error')).toHaveText('手机号或邮箱不能为空');
  await page.getByLabel('账号').fill(lost.account);
  await page.getByRole('button', { name: '获取验证码' }).click();
  await expect(page.getByText('验证码已发送，请注意查收')).toBeVisible();
  const code = await sentCode(lost.account);
  await page.getByLabel('验证码', { exact: true }).fill(code === '000000' ? '000001' : '000000');
  await page.getByRole('button', { name: '下一步' }).click();
  await expect(page.locator('.login-error')).toHaveText('验证码错误或已失效');
  await page.getByLabel('验证码', { exact: true }).fill(code);
  await page.getByRole('button', { name: '下一步' }).click();

  await expect(now).toContainText('重置登录密码');
  await page.getByLabel('新密码').fill(NEW_PASSWORD);
  await page.getByLabel('确认密码').fill('etwas anderes');
  await page.getByRole('button', { name: /确\s*定/ }).click();
  await expect(page.locator('.login-error')).toHaveText('两次输入的密码不一致');
  await page.getByLabel('确认密码').fill(NEW_PASSWORD);
  await page.getByRole('button', { name: /确\s*定/ }).click();
  await expect(now).toContainText('完成');
  await expect(page.getByRole('status')).toContainText('修改成功');
  await expect(page.getByRole('status')).toContainText('请返回登录页面登录');
  await page.getByRole('button', { name: '去登录' }).click();

  await begin(page, lost.account, lost.password);
  await passCaptcha(page);
  await expect(page.getByText('登录失败：账号或密码错误')).toBeVisible();
  await logIn(page, { account: lost.account, password: NEW_PASSWORD });
  await expect(page.locator('.frame-account')).toContainText(lost.name);
});

inProof(
  'the slider is red for a second and changes its picture, then green for a second and closes',
  async ({ page }) => {
    await begin(page, 'demo@example.com', 'Demo-2026!');
    const bar = page.locator('.captcha-bar');
    const picture = page.locator('.captcha-picture img').first();
    await expect(page.locator('.captcha-piece')).toBeVisible();
    await expect(page.getByRole('dialog', { name: '请完成安全验证' })).toHaveCSS('width', '362px');
    await expect(picture).toHaveCSS('width', '330px');
    await expect(bar).toHaveCSS('height', '40px');
    const first = await picture.getAttribute('src');
    const answer = (await sliderAnswer()) * (SHOWN / PICTURE);
    await drag(page, answer > 150 ? answer - 60 : answer + 60);
    await expect(bar).toHaveText('验证失败');
    const failedAt = Date.now();
    await expect(bar).toHaveCSS('background-color', await colourOf(page, '--danger-bg'));
    await expect(bar).toHaveCSS('color', await colourOf(page, '--danger'));
    await expect(bar).toHaveText('向右拖动，拼合图片');
    const red = Date.now() - failedAt;
    expect(red).toBeGreaterThan(600);
    expect(red).toBeLessThan(3000);
    await expect(picture).not.toHaveAttribute('src', first ?? '');

    await drag(page, ((await sliderAnswer()) * SHOWN) / PICTURE);
    await expect(bar).toHaveText(/^\d+\.\d\ds验证成功$/);
    const passedAt = Date.now();
    await expect(bar).toHaveCSS('background-color', await colourOf(page, '--success-bg'));
    await expect(bar).toHaveCSS('color', await colourOf(page, '--success'));
    await expect(bar).toBeHidden();
    const green = Date.now() - passedAt;
    expect(green).toBeGreaterThan(600);
    expect(green).toBeLessThan(3000);
    await expect(page).toHaveURL(/\/home/);
  },
);

inProof('after three wrong passwords three characters are asked for, in their order', async ({ page }) => {
  const account = `${Date.now()}@example.com`;
  await begin(page, account, 'falsch-1A');
  const words = page.getByText(/^请依次点击【.,.,.】$/);
  for (let n = 1; n <= 3; n += 1) {
    if (n > 1) await page.getByRole('button', { name: '登录', exact: true }).click();
    await passCaptcha(page);
    await expect(page.locator('.captcha')).toBeHidden();
    await expect(page.getByText('登录失败：账号或密码错误')).toBeVisible();
  }
  await page.getByPlaceholder('手机号或邮箱').fill('demo@example.com');
  await page.getByPlaceholder('请输入密码').fill('Demo-2026!');
  await page.getByRole('button', { name: '登录', exact: true }).click();
  await expect(words).toBeVisible();
  const asked = await words.textContent();
  const points = await wordsAnswer();
  await clickWords(page, points, PICTURE / 2);
  await expect(page.locator('.captcha-point')).toHaveText(['1', '2', '3']);
  const bar = page.locator('.captcha-bar');
  await expect(bar).toHaveText('验证失败');
  await expect(bar).toHaveCSS('color', await colourOf(page, '--danger'));
  const failedAt = Date.now();
  await expect(words).toBeVisible();
  const shown = Date.now() - failedAt;
  expect(shown).toBeGreaterThan(300);
  expect(shown).toBeLessThan(2500);
  await expect(page.locator('.captcha-point')).toHaveCount(0);
  expect(asked).toMatch(/【\p{Script=Han},\p{Script=Han},\p{Script=Han}】/u);

  const checked = page.waitForRequest('**/auth/captcha/check');
  const clickedAt = Date.now();
  await clickWords(page, await wordsAnswer());
  await checked;
  expect(Date.now() - clickedAt).toBeGreaterThan(350);
  await expect(bar).toHaveText(/^\d+\.\d\ds验证成功$/);
  await expect(page).toHaveURL(/\/home/);
});

inProof('doors without serious findings', async ({ page }) => {
  for (const path of ['/login', '/register', '/resetPassword', '/clause.html']) {
    await page.goto(path);
    await settled(page);
    expect(await seriousFaults(page), path).toEqual([]);
  }
  await begin(page, 'demo@example.com', 'Demo-2026!');
  await expect(page.locator('.captcha-picture img').first()).toBeVisible();
  expect(await seriousFaults(page, '.captcha')).toEqual([]);
});

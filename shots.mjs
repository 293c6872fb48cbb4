import { chromium } from '@playwright/test';
import c from '@sparticuz/chromium';
process.env.AWS_LAMBDA_JS_RUNTIME ??= 'nodejs22.x';
const path = await c.executablePath(); delete process.env.FONTCONFIG_PATH;
const BASE = process.env.BASE ?? 'http://localhost:8220';
const only = process.argv.slice(2);
const r = await fetch(BASE + '/api/auth/login', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ account: process.env.ACC ?? 'demo@example.com', password: 'Demo-2026!' }) });
const { data } = await r.json();
const menu = await (await fetch(BASE + '/api/admin/api/v1/menus/route', { headers: { jsessionid: data.session } })).json();
const leaves = []; const walk = (items) => { for (const m of items) { if (m.children?.length) walk(m.children); else leaves.push({ path: m.path, title: m.meta?.title ?? m.title ?? m.name }); } }; walk(menu.data);
console.log(leaves.map((l) => l.path + ' ' + l.title).join('\n'));
const b = await chromium.launch({ executablePath: path, ignoreDefaultArgs: ['--hide-scrollbars'], args: ['--no-sandbox', '--disable-gpu'] });
for (const theme of (process.env.THEMES ?? 'light,black').split(',')) for (const [w, h] of (process.env.SIZES ?? '1600x900,1280x800').split(',').map((s) => s.split('x').map(Number))) {
  const ctx = await b.newContext({ viewport: { width: w, height: h }, locale: 'zh-CN', timezoneId: 'Asia/Shanghai' });
  await ctx.addInitScript(([s, id, t]) => { for (const [k, v] of Object.entries({ jsessionid: s, jsessiontime: String(Date.now()), uid: id, logintype: 'api', theme: t })) localStorage.setItem(k, v); }, [data.session, data.id, theme]);
  const p = await ctx.newPage();
  p.on('pageerror', (e) => console.log('PAGEERROR', p.url(), String(e).slice(0, 200)));
  for (const l of leaves) {
    if (only.length && !only.some((o) => l.path.includes(o))) continue;
    await p.goto(`${BASE}${l.path}?title=${encodeURIComponent(l.title)}&path=${l.path}`);
    await p.waitForLoadState('networkidle').catch(() => {}); await p.waitForTimeout(700);
    await p.screenshot({ path: `/tmp/shots/${l.path.replaceAll('/', '_')}-${theme}-${w}.png` });
  }
  await ctx.close();
}
await b.close();

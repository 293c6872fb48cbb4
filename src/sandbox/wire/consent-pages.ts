import type { Region, SimAccount } from '../business/types.ts';
import type { World } from './world.ts';

const style = `
:root{color-scheme:light dark;--bg:#f3f5f8;--card:#fff;--ink:#1f2733;--soft:#667085;--line:#e2e6ec;--accent:#1668dc;--on:#fff;--tint:#eef4fe}
@media (prefers-color-scheme:dark){:root{--bg:#111418;--card:#1b2027;--ink:#e7ebf0;--soft:#98a2b3;--line:#313945;--accent:#4c91f0;--on:#0c1116;--tint:#1d2b40}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;place-items:center;padding:24px;background:var(--bg);color:var(--ink);font:14px/1.6 system-ui,"PingFang SC","Microsoft YaHei",sans-serif}
main{width:100%;max-width:480px;background:var(--card);border:1px solid var(--line);border-radius:12px;padding:28px 32px}
.tag{display:inline-block;font-size:12px;color:var(--accent);background:var(--tint);border-radius:999px;padding:2px 10px}
h1{font-size:20px;margin:12px 0 4px}
p{margin:4px 0 16px;color:var(--soft)}
fieldset{border:0;margin:0 0 20px;padding:0}
legend{font-weight:600;margin-bottom:8px;padding:0}
label{display:flex;gap:12px;align-items:flex-start;border:1px solid var(--line);border-radius:8px;padding:10px 14px;margin-bottom:8px;cursor:pointer}
label:has(input:checked){border-color:var(--accent);background:var(--tint)}
label:focus-within{outline:2px solid var(--accent);outline-offset:1px}
input{margin-top:4px;accent-color:var(--accent)}
small{display:block;color:var(--soft)}
.row{display:flex;gap:12px}
button,a.button{flex:1;display:block;text-align:center;text-decoration:none;font:inherit;font-weight:600;padding:9px 16px;border-radius:8px;border:1px solid var(--line);background:transparent;color:var(--ink);cursor:pointer}
button.main{background:var(--accent);border-color:var(--accent);color:var(--on)}
button:focus-visible,a.button:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
`;

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Text made safe for HTML, attributes included. */
function html(value: string): string {
  return value.replaceAll(/[&<>"']/g, (sign) => escapes[sign] ?? sign);
}

function frame(title: string, content: string): string {
  return `<!doctype html>
<html lang="zh-CN"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer"><title>${html(title)}</title><style>${style}</style></head>
<body><main><span class="tag">沙箱市场 · Sandbox marketplace</span>${content}</main></body></html>`;
}

/** What a consent page says and carries; the same form serves both APIs. */
export interface ConsentForm {
  heading: string;
  /** Who asks, in English; where the seller sells. */
  application: string;
  region: Region;
  /** What is asked for, in Chinese. */
  scope: string;
  redirectUri: string;
  /** Fields of the request, sent along with the decision. */
  hidden: Record<string, string>;
}

function choice(world: World, account: SimAccount, first: boolean): string {
  const countries = account.marketplaceIds.map((id) => world.marketplace(id).countryCode).join('、');
  return `<label><input type="radio" name="selling_partner_id" value="${html(account.sellingPartnerId)}"${first ? ' checked' : ''} required>
<span>${html(account.storeName)}<small>${html(account.sellingPartnerId)} · ${html(countries)}</small></span></label>`;
}

/** The page on which a seller agrees or declines, in Chinese and English. */
export function consentPage(world: World, form: ConsentForm, sellers: readonly SimAccount[]): string {
  const fields = Object.entries(form.hidden).map(
    ([name, value]) => `<input type="hidden" name="${html(name)}" value="${html(value)}">`,
  );
  const content = `
<h1>${html(form.heading)}</h1>
<p>Authorize ${html(form.application)} (${form.region.toUpperCase()}).<br>${html(form.scope)}</p>
<form method="post">${fields.join('')}
<fieldset><legend>选择卖家 · Choose a seller</legend>
${sellers.map((seller, index) => choice(world, seller, index === 0)).join('\n')}
</fieldset>
<div class="row"><button class="main" name="decision" value="agree">同意授权 · Confirm</button>
<button name="decision" value="cancel" formnovalidate>取消 · Cancel</button></div>
</form>`;
  return frame('授权应用 · Authorize application', content);
}

/** The seller declined: nothing happened, and the way back is one click. */
export function cancelledPage({ redirectUri }: Pick<ConsentForm, 'redirectUri'>): string {
  const origin = new URL(redirectUri).origin;
  return frame(
    '已取消授权 · Cancelled',
    `<h1>已取消授权</h1><p>You did not authorize the application. Nothing has changed.</p>
<div class="row"><a class="button" href="${html(origin)}" rel="noreferrer">返回应用 · Back</a></div>`,
  );
}

/** Seller Central's page with the messages of an order's buyer; buyers of this marketplace write none. */
export function messagesPage(orderId: string): string {
  const title = '买家消息 · Buyer messages';
  return frame(
    title,
    `<h1>买家消息</h1><p>Order ${html(orderId)}<br>该订单没有买家消息 · The buyer has not written.</p>`,
  );
}

/** The request for consent itself is wrong; the seller can do nothing about it. */
export function refusalPage(reason: string): string {
  return frame('无法授权 · Cannot authorize', `<h1>无法授权</h1><p>${html(reason)}</p>`);
}

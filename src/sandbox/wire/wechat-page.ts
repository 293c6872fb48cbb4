const style = `
:root{color-scheme:light dark;--bg:#f3f5f8;--card:#fff;--ink:#1f2733;--soft:#667085;--line:#e2e6ec;--accent:#0d7a3f;--on:#fff;--tint:#e9f7ef}
@media (prefers-color-scheme:dark){:root{--bg:#111418;--card:#1b2027;--ink:#e7ebf0;--soft:#98a2b3;--line:#313945;--accent:#4cc38a;--on:#0c1116;--tint:#17302a}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;place-items:center;padding:24px;background:var(--bg);color:var(--ink);font:14px/1.6 system-ui,"PingFang SC","Microsoft YaHei",sans-serif}
main{width:100%;max-width:360px;background:var(--card);border:1px solid var(--line);border-radius:12px;padding:28px 32px;text-align:center}
h1{font-size:20px;margin:12px 0 4px}
p{margin:4px 0 16px;color:var(--soft)}
.tag{display:inline-block;font-size:12px;color:var(--accent);background:var(--tint);border-radius:999px;padding:2px 10px}
.qr{width:160px;height:160px;margin:0 auto 16px;border:8px solid #fff;border-radius:6px;background:repeating-conic-gradient(#1f2733 0 25%,#fff 0 50%) 0 0/16px 16px}
fieldset{border:0;margin:0 0 16px;padding:0;text-align:left}
legend{font-weight:600;margin-bottom:8px}
label{display:flex;gap:10px;border:1px solid var(--line);border-radius:8px;padding:8px 12px;margin-bottom:6px;cursor:pointer}
label:has(input:checked){border-color:var(--accent);background:var(--tint)}
input{accent-color:var(--accent)}
button{width:100%;font:inherit;font-weight:600;padding:9px 16px;border-radius:8px;border:0;background:var(--accent);color:var(--on);cursor:pointer}
button:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
`;

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Text made safe for HTML, attributes included. */
export function html(value: string): string {
  return value.replaceAll(/[&<>"']/g, (sign) => escapes[sign] ?? sign);
}

/** A page of the stand-in for WeChat. */
export function page(content: string): string {
  return `<!doctype html>
<html lang="zh-CN"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer"><title>微信登录（沙箱）</title><style>${style}</style></head>
<body><main><span class="tag">沙箱微信 · Sandbox WeChat</span>${content}</main></body></html>`;
}

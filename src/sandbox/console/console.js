// The page of the control surface. It knows nothing but the calls below /control that everybody may make from here.

const at = (id) => document.getElementById(id);

function say(error) {
  at('problem').textContent = error ? String(error.message ?? error) : '';
}

async function call(path, body) {
  const init =
    body === undefined
      ? {}
      : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const response = await fetch(`/control${path}`, init);
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.message ?? `HTTP ${response.status}`);
  return answer;
}

/** A row of cells; numbers stand at the right. Texts only: nothing that the sandbox says is taken for markup. */
function rowOf(cells) {
  const row = document.createElement('tr');
  for (const cell of cells) {
    const td = document.createElement('td');
    if (cell instanceof Node) td.append(cell);
    else td.textContent = String(cell);
    if (typeof cell === 'number' || /^-?\d+\.\d+$/.test(String(cell))) td.className = 'right';
    row.append(td);
  }
  return row;
}

const MODES = { frozen: '已冻结', real: '跟随真实时间', scaled: '加速' };

function showClock({ now, mode, factor }) {
  at('clock').textContent = `${new Date(now).toISOString().replace('T', ' ').slice(0, 19)} UTC`;
  at('mode').textContent = mode === 'scaled' ? `加速 ${factor} 倍` : (MODES[mode] ?? mode);
}

function button(label, onClick) {
  const made = document.createElement('button');
  made.type = 'button';
  made.textContent = label;
  made.addEventListener('click', onClick);
  return made;
}

function showFaults(rules) {
  const rows = rules.map(({ id, rule: { kind, ...conditions }, seen, struck }) => {
    const words = Object.entries(conditions).map(([name, value]) => `${name}=${value}`);
    const drop = button('清除', () => act(() => call('/faults', { action: 'clear', id })));
    return rowOf([id, kind, words.join(' ') || '—', seen, struck, drop]);
  });
  at('faults').replaceChildren(...rows);
}

function showMeters({ rateFactor, meters }) {
  if (document.activeElement !== at('rate')) at('rate').value = String(rateFactor);
  const busiest = meters.toSorted((a, b) => b.throttled - a.throttled || b.calls - a.calls).slice(0, 60);
  const rows = busiest.map(({ key, rate, burst, tokens, calls, throttled }) => {
    const [seller, region, , operation = ''] = key.split('|');
    return rowOf([`${seller} ${region}`, operation || key, rate, burst, Math.floor(tokens), calls, throttled]);
  });
  at('meters').replaceChildren(...rows);
}

function showSites({ accounts, marketplaces }) {
  if (at('site').options.length > 0) return;
  const country = new Map(marketplaces.map((one) => [one.marketplaceId, one.countryCode]));
  const options = accounts.flatMap(({ sellingPartnerId, region, storeName, marketplaceIds }) =>
    marketplaceIds.map((marketplaceId) => {
      const option = document.createElement('option');
      option.value = new URLSearchParams({ sellingPartnerId, region, marketplaceId }).toString();
      option.textContent = `${storeName} ${country.get(marketplaceId)} (${sellingPartnerId})`;
      return option;
    }),
  );
  at('site').replaceChildren(...options);
}

async function refresh() {
  const [state, throttle] = await Promise.all([call('/state'), call('/throttle')]);
  at('scenario').textContent = `剧本 ${state.scenario} · 种子 ${state.seed} · 报表 ${state.reports} 份`;
  showClock(state.clock);
  showFaults(state.faults);
  showMeters(throttle);
  showSites(state);
}

/** Does something and shows how things stand afterwards; what goes wrong stands in the head of the page. */
async function act(work) {
  try {
    await work();
    await refresh();
    say();
  } catch (error) {
    say(error);
  }
}

async function audit() {
  const { ok, messages } = await call('/audit');
  at('audit').textContent = ok ? '账目一致：库存守恒，结算等于明细，链条连续' : `${messages.length} 处不一致`;
  at('audit').className = ok ? '' : 'bad';
  at('audit-list').textContent = messages.join('\n');
}

async function truth() {
  const found = await call(`/truth?${at('site').value}`);
  const { orders, units, productSales, currency, settlements } = found;
  at('truth').textContent =
    `订单 ${orders} · 销量 ${units} · 销售额 ${currency} ${productSales} · 已结算 ${settlements.length} 期`;
  const rows = found.bySku.map((one) =>
    rowOf([one.sku, one.units, one.orders, one.cancelledUnits, one.productSales, one.discount]),
  );
  at('by-sku').replaceChildren(...rows);
}

function ruleOf(form) {
  const fields = [...new FormData(form)].filter(([, value]) => value !== '');
  const numbers = ['nth', 'count', 'probability'];
  return Object.fromEntries(fields.map(([name, value]) => [name, numbers.includes(name) ? Number(value) : value]));
}

for (const each of document.querySelectorAll('[data-advance]')) {
  each.addEventListener('click', () => act(() => call('/clock', { advanceMs: Number(each.dataset.advance) })));
}
for (const each of document.querySelectorAll('[data-mode]')) {
  each.addEventListener('click', () => {
    const { mode } = each.dataset;
    act(() => call('/clock', mode === 'scaled' ? { mode, factor: Number(at('factor').value) } : { mode }));
  });
}
at('fault').addEventListener('submit', (event) => {
  event.preventDefault();
  act(() => call('/faults', ruleOf(event.target)));
});
at('clear').addEventListener('click', () => act(() => call('/faults', { action: 'clear' })));
at('set-rate').addEventListener('click', () => act(() => call('/throttle', { rateFactor: Number(at('rate').value) })));
at('run-audit').addEventListener('click', () => act(audit));
at('show-truth').addEventListener('click', () => act(truth));

const { kinds, inboundKinds } = await call('/faults');
at('kinds').replaceChildren(
  ...[...kinds, ...inboundKinds].map((kind) => {
    const option = document.createElement('option');
    option.textContent = kind;
    return option;
  }),
);
await act(async () => {});
setInterval(() => act(async () => {}), 3000);

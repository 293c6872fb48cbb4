/** A page as a browser ends up on it. */
export interface Landed {
  url: URL;
  status: number;
  text: string;
  headers: Headers;
}

const MAX_HOPS = 12;

/** As much of a browser as a log-in needs: cookies per origin, links, forms, and redirections one by one. */
export class TestBrowser {
  readonly #jars = new Map<string, Map<string, string>>();
  readonly userAgent: string;

  constructor(userAgent = 'Mozilla/5.0 (test)') {
    this.userAgent = userAgent;
  }

  cookies(origin: string): string {
    return [...(this.#jars.get(origin) ?? [])].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  setCookie(origin: string, name: string, value: string): void {
    const jar = this.#jars.get(origin) ?? new Map<string, string>();
    this.#jars.set(origin, jar.set(name, value));
  }

  /** One request, no redirections followed. */
  async open(address: string | URL, form?: Record<string, string>): Promise<Landed> {
    const url = new URL(address);
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: this.cookies(url.origin), 'user-agent': this.userAgent },
      ...(form ? { method: 'POST', body: new URLSearchParams(form) } : {}),
    });
    for (const line of response.headers.getSetCookie()) {
      const [pair = '', ...rest] = line.split(';');
      const [name = '', value = ''] = pair.split(/=(.*)/s);
      const over = value === '' || rest.some((part) => /^\s*(max-age=0|expires=Thu, 01 Jan 1970.*)$/i.test(part));
      if (over) this.#jars.get(url.origin)?.delete(name);
      else this.setCookie(url.origin, name, value);
    }
    return { url, status: response.status, text: await response.text(), headers: response.headers };
  }

  /** Follows redirections until a page, or until an address that `stop` wants, which is not opened. */
  async follow(landed: Landed, stop: (url: URL) => boolean): Promise<Landed> {
    let now = landed;
    for (let hop = 0; hop < MAX_HOPS; hop += 1) {
      const location = now.headers.get('location');
      if (!location) return now;
      const next = new URL(location, now.url);
      if (stop(next)) return { ...now, url: next, text: '' };
      now = await this.open(next);
    }
    throw new Error(`more than ${MAX_HOPS} redirections`);
  }

  /** Sends the form of a page with these fields beside its hidden ones. */
  submit(page: Landed, fields: Record<string, string>): Promise<Landed> {
    const action = /<form[^>]*action="([^"]+)"/.exec(page.text)?.[1];
    if (!action) throw new Error(`no form: ${page.status} ${page.text.slice(0, 500)}`);
    const hidden = [...page.text.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)];
    const values = Object.fromEntries(hidden.map(([, name = '', value = '']) => [name, value]));
    return this.open(new URL(action.replaceAll('&amp;', '&'), page.url), { ...values, ...fields });
  }
}

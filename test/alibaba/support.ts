import { beginConsent, finishConsent } from '#modules/alibaba/contract/index.ts';
import { saveSetting } from '#modules/purchase/contract/setting.ts';
import type { Buyers } from '#modules/purchase/test/support.ts';
import type { Sandbox } from '#sandbox/index.ts';
import type { Person } from '#test/support/world.ts';

/** Agrees on the platform's page as a person would. */
export async function agreeAs(person: Person, memberId: string): Promise<{ code: string; state: string }> {
  const { url } = await person.call(beginConsent, {});
  const page = new URL(url);
  const form = new URLSearchParams(page.searchParams);
  form.set('member', memberId);
  const answer = await fetch(`${page.origin}${page.pathname}`, { method: 'POST', body: form, redirect: 'manual' });
  const back = new URL(answer.headers.get('location') ?? '');
  return { code: back.searchParams.get('code') ?? '', state: back.searchParams.get('state') ?? '' };
}

/** Binds an account of the sandbox's platform. */
export const bindBuyer = async (person: Person, memberId: string): Promise<{ id: string }> =>
  person.call(finishConsent, { body: await agreeAs(person, memberId) });

interface RemoteOrder {
  id: string;
  outOrderId: string;
}

/** Does at the platform what a seller or a fault would; answers its orders. */
export async function controlOf(sandbox: Sandbox, body: object): Promise<RemoteOrder[]> {
  const answer = await fetch(`${sandbox.url}/alibaba/control`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return ((await answer.json()) as { orders: RemoteOrder[] }).orders;
}

/** By what ratio an order may come dearer than it was approved, before somebody is asked again. */
export async function tolerate({ owner }: Buyers, changeTolerance: string): Promise<void> {
  await owner.call(saveSetting, {
    body: { separateApprover: true, receiveTolerance: '0', priceRise: '0.05', changeTolerance },
  });
}

import type { SimAccount } from '../../business/types.ts';
import { accountKey, type World } from '../world.ts';
import { documentsOn } from './documents.ts';
import { changeTime } from './settle.ts';
import type { AplusDocument, Complaint, Fields } from './state.ts';

function found(world: World, account: SimAccount, fields: Fields): AplusDocument {
  const documents = documentsOn(world, account, String(fields.marketplaceId));
  const document = documents.find(({ key, content }) => key === fields.key || content.name === fields.name);
  if (!document) throw new Error('The seller has no such document there.');
  return document;
}

function settings(world: World, fields: Fields): object {
  const [low, high] = Array.isArray(fields.delayMs) ? fields.delayMs.map(Number) : [];
  if (fields.delayMs !== undefined && !(Number(low) >= 0 && Number(high) >= Number(low))) {
    throw new Error('delayMs: two numbers are expected.');
  }
  world.command({
    type: 'aplusReview',
    ...(fields.delayMs === undefined ? {} : { delayMs: [Number(low), Number(high)] }),
    ...(fields.rejectNext === undefined ? {} : { rejectNext: Number(fields.rejectNext) }),
    ...(Array.isArray(fields.reasons) ? { reasons: fields.reasons as Complaint[] } : {}),
  });
  const { delayMs, rejectNext, reasons } = world.aplus;
  return { delayMs, rejectNext, reasons };
}

/**
 * What a test does to A+ content. `settings` with `delayMs: [least, most]` says how long reviews take, with `rejectNext` and
 * `reasons` how the next ones end; `brand` with `registered` whether the seller's brand is registered; `change` with
 * `marketplaceId`, `key` or `name` and `content` (or `asins`) is what somebody does in Seller Central, which holds at once;
 * `rekey` gives a document another key, as happens at Amazon, and
 * `remove` takes it away.
 */
export function aplusControl(world: World, account: SimAccount | undefined, fields: Fields): object {
  if (fields.action === 'settings') return settings(world, fields);
  if (!account) throw new Error('action: one of settings, brand, change, rekey, remove is expected.');
  if (fields.action === 'brand') {
    world.command({ type: 'aplusBrand', account: accountKey(account), registered: fields.registered === true });
    return { registered: world.aplus.hasBrand(accountKey(account)) };
  }
  const document = found(world, account, fields);
  if (fields.action === 'rekey') {
    const key = document.key.split('').reverse().join('');
    world.command({ type: 'aplusKeyGone', key: document.key });
    world.command({ type: 'aplusDocument', document: { ...document, key } });
    return { key };
  }
  if (fields.action === 'remove') {
    world.command({ type: 'aplusKeyGone', key: document.key });
    return { key: document.key };
  }
  if (fields.action !== 'change') throw new Error('action: one of settings, brand, change, rekey, remove is expected.');
  const next: AplusDocument = {
    ...document,
    ...(fields.content === undefined ? {} : { content: { ...document.content, ...(fields.content as Fields) } }),
    ...(Array.isArray(fields.asins) ? { asins: fields.asins.map(String) } : {}),
    updatedAt: changeTime(world, document),
  };
  world.command({ type: 'aplusDocument', document: next });
  return { key: next.key, content: next.content };
}

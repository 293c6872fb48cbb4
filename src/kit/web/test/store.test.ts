import { expect, test } from 'vitest';
import { storeDocument } from '../document/store.ts';

const saved = { id: '7', number: 'PO7', message: '采购单PO7已保存' };

/** What happens, in order, when a form is stored whose document is handed in by `submit`. */
async function storing(submit?: () => Promise<unknown>): Promise<string[]> {
  const seen: string[] = [];
  const did = (what: string) => () => {
    seen.push(what);
  };
  await storeDocument({
    save: async () => {
      seen.push('save');
      return saved;
    },
    submit: submit && ((id) => submit().finally(did(`submit ${id}`))),
    onSaved: did('clean'),
    refresh: async () => did('refresh')(),
    say: (text) => seen.push(text),
    open: (page, { id }) => seen.push(`open ${page} ${id}`),
  }).catch((error: Error) => seen.push(error.message));
  return seen;
}

test('a saved document is shown, one that was handed in too', async () => {
  expect(await storing()).toEqual(['save', 'clean', '采购单PO7已保存', 'refresh', 'open detail 7']);
  const both = await storing(() => Promise.resolve());
  expect(both).toEqual(['save', 'clean', 'submit 7', 'PO7 已提交审核', 'refresh', 'open detail 7']);
});

test('a document whose submission is refused is saved: its form goes on with it and says why', async () => {
  const seen = await storing(() => Promise.reject(new Error('至少添加一行数据')));
  expect(seen).toEqual(['save', 'clean', 'submit 7', 'refresh', 'open edit 7', '至少添加一行数据']);
});

test('a form whose document is not saved stays as it is', async () => {
  const seen: string[] = [];
  const steps = { submit: undefined, onSaved: () => seen.push('clean'), refresh: async () => undefined };
  const save = () => Promise.reject(new Error('供应商已停用'));
  const store = storeDocument({ ...steps, save, say: () => {}, open: (page) => seen.push(page) });
  await expect(store).rejects.toThrow('供应商已停用');
  expect(seen).toEqual([]);
});

import { useEffect } from 'react';
import { cacheKey, call, queryClient } from '#kit/web/api/index.ts';
import { FormDialog, useForm } from '#kit/web/form/index.ts';
import { bindSeller, listStores, StoreForm, saveStore } from '../../contract/stores.ts';

interface Props {
  store: StoreForm & { id: string };
  onClose: () => void;
}

/** 编辑店铺: its name, what papers need of it, and the note on the network in which it is logged in. */
export function StoreEdit({ store, onClose }: Props) {
  const { id, ...initial } = store;
  const form = useForm(StoreForm, initial);
  const { reset } = form;
  useEffect(() => () => reset({}), [reset]);
  return (
    <FormDialog
      title={`编辑店铺 ${store.name}`}
      open
      form={form}
      fields={{ network: { span: 2, placeholder: '例如 深圳办公室 · 2 号电脑 · 电信专线' } }}
      onSubmit={async (values) => {
        // A field that was emptied is emptied, not left as it was.
        const { name, company = '', taxNumber = '', customsNumber = '', network = '' } = values;
        await call(saveStore, { body: { id, name, company, taxNumber, customsNumber, network } }, { quiet: true });
        const changed = [bindSeller, listStores];
        await Promise.all(changed.map((each) => queryClient.invalidateQueries({ queryKey: cacheKey(each) })));
      }}
      onClose={onClose}
    />
  );
}

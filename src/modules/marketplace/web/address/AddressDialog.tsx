import { useEffect } from 'react';
import { cacheKey, call, queryClient } from '#kit/web/api/index.ts';
import { FormDialog, useForm } from '#kit/web/form/index.ts';
import {
  AddressForm,
  type AddressRow,
  addAddress,
  changeAddress,
  countAddresses,
  listAddresses,
} from '../../contract/addresses.ts';
import { MARKETPLACES } from '../../contract/marketplaces.ts';

interface Props {
  /** Undefined for a new one. */
  address: AddressRow | undefined;
  stores: readonly { value: string; label: string }[];
  onClose: () => void;
}

const SITES = MARKETPLACES.map((site) => ({ value: site.id, label: `${site.name} ${site.country}` }));

function initialOf(address: AddressRow | undefined, stores: Props['stores']) {
  if (!address) return { country: 'CN', ...(stores.length === 1 ? { storeId: stores[0]?.value } : {}) };
  const { storeId, marketplaceId, name, company, country, state, city, district, line1, line2 } = address;
  const { postalCode, phone, email, isDefault } = address;
  const place = { country, state, city, district, line1, line2, postalCode };
  return { storeId, ...(marketplaceId ? { marketplaceId } : {}), name, company, ...place, phone, email, isDefault };
}

/** 添加 and 编辑: a ship-from address with the marketplace's own limits. */
export function AddressDialog({ address, stores, onClose }: Props) {
  const form = useForm(AddressForm, initialOf(address, stores));
  const { reset } = form;
  useEffect(() => () => reset({}), [reset]);
  return (
    <FormDialog
      title={address ? `编辑发货地址 ${address.name}` : '添加发货地址'}
      open
      form={form}
      width={640}
      fields={{
        storeId: { options: stores },
        marketplaceId: { options: SITES, placeholder: '全部站点' },
        country: { placeholder: '两位代码，例如 CN' },
        line1: { span: 2 },
        line2: { span: 2 },
        isDefault: { help: '同一店铺和站点只有一个默认地址' },
      }}
      onSubmit={async (values) => {
        if (address) {
          const { id, version } = address;
          await call(changeAddress, { body: { ...values, id, version } }, { quiet: true });
        } else {
          await call(addAddress, { body: values }, { quiet: true });
        }
        const changed = [listAddresses, countAddresses];
        await Promise.all(changed.map((each) => queryClient.invalidateQueries({ queryKey: cacheKey(each) })));
      }}
      onClose={onClose}
    />
  );
}

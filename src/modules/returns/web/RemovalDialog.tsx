import { useState } from 'react';
import type { z } from 'zod';
import { ApiError, useCall, useSend } from '#kit/web/api/index.ts';
import { FormDialog, useForm } from '#kit/web/form/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useSiteOptions } from '#modules/listing/web/index.ts';
import { createRemoval, RemovalForm, removalAddresses, removalGoods, requests } from '../contract/removals.ts';
import { type Chosen, RemovalGoods } from './RemovalGoods.tsx';

interface Props {
  onClose: () => void;
  /** The request was handed over under this number. */
  onDone: (number: string) => void;
}

/** What the field of the address says as long as none is chosen. */
function addressHint(site: string | undefined, known: number): string {
  if (!site) return '请先选择站点';
  return known === 0 ? '该店铺还没有地址，请先在「发货地址」添加' : '选择退回到哪里';
}

/** 新建移除: which goods of a site's FBA stock leave, how, and where to. */
export function RemovalDialog({ onClose, onDone }: Props) {
  const sites = useSiteOptions() ?? [];
  const form = useForm(RemovalForm, { type: 'Return' });
  const [chosen, setChosen] = useState<readonly Chosen[]>([]);
  const [problems, setProblems] = useState<readonly string[]>([]);
  const { site: chosenSite, type } = form.values;
  const site = typeof chosenSite === 'string' ? chosenSite : undefined;
  const [goodsOf, setGoodsOf] = useState(site);
  if (goodsOf !== site) {
    // Goods and addresses of another site are none of this one.
    setGoodsOf(site);
    setChosen([]);
    form.set('addressId', undefined);
  }
  const isReturn = type === 'Return';
  const { data: addresses = [] } = useCall(
    removalAddresses,
    { body: { site: site ?? '' } },
    { enabled: site !== undefined && isReturn },
  );
  const send = useSend(createRemoval, {
    refreshes: [requests.list, removalGoods],
    quiet: true,
    onSuccess: ({ number }) => {
      notice.success(`已提交移除 ${number}，等待亚马逊受理`);
      onDone(number);
    },
  });
  const submit = async ({ addressId, ...values }: z.output<typeof RemovalForm>) => {
    const lines = chosen.map(({ sku, sellable, unsellable }) => ({ sku, sellable, unsellable }));
    const wrong = lines.length === 0 ? ['请选择商品'] : [];
    setProblems(wrong);
    if (wrong.length > 0) throw new Error('nothing to remove');
    try {
      await send.mutateAsync({ body: { ...values, lines, ...(isReturn && addressId ? { addressId } : {}) } });
    } catch (error) {
      const about = error instanceof ApiError ? error.fields.filter(({ field }) => field.startsWith('lines')) : [];
      setProblems(about.map(({ msg }) => msg));
      throw about.length > 0 ? new Error('goods are refused') : error;
    }
  };
  return (
    <FormDialog
      title="新建移除"
      open
      form={form}
      columns={6}
      width={760}
      okText="提交"
      fields={{
        site: { options: sites, span: 3 },
        type: { span: 3, help: '清算只在部分站点可用，由亚马逊决定' },
        addressId: {
          span: 6,
          hidden: !isReturn,
          options: addresses.map(({ id, name }) => ({ value: id, label: name })),
          placeholder: addressHint(site, addresses.length),
          help: '亚马逊通常只退回到站点所在的国家',
        },
        remark: { span: 6, placeholder: isReturn ? '写在退件的装箱单上' : '只在这里显示' },
      }}
      after={
        <>
          <RemovalGoods
            site={site}
            chosen={chosen}
            onChange={(next) => {
              setChosen(next);
              setProblems([]);
            }}
          />
          {problems.length > 0 && (
            <div className="note is-danger" role="alert" style={{ marginTop: 8 }}>
              {problems.join('；')}
            </div>
          )}
        </>
      }
      onSubmit={submit}
      onClose={onClose}
    />
  );
}

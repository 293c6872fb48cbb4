import { useCall, useSend } from '#kit/web/api/index.ts';
import { FormDialog, useForm } from '#kit/web/form/index.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import { useSiteOptions } from '#modules/listing/web/index.ts';
import { searchTypes } from '../contract/catalog.ts';
import { countDrafts, listDrafts, newDraft } from '../contract/draft.ts';
import { FORM_PATH } from './paths.ts';

interface Props {
  /** What is known already, e.g. of a product of the catalogue. */
  initial?: { site?: string; asin?: string; productType?: string };
  onClose: () => void;
}

/** 新建刊登: the site, the SKU and the product type of a listing that is not there yet. */
export function NewDialog({ initial = {}, onClose }: Props) {
  const tab = useTab();
  const sites = useSiteOptions() ?? [];
  const form = useForm(newDraft.body, initial);
  const { site } = form.values as { site?: string };
  const { data: types = [] } = useCall(
    searchTypes,
    { body: { site: site ?? '' } },
    { enabled: site !== undefined && site !== '', staleTime: 600_000 },
  );
  const send = useSend(newDraft, { refreshes: [listDrafts, countDrafts], quiet: true });
  return (
    <FormDialog
      title={initial.asin ? `跟卖 ${initial.asin}` : '新建刊登'}
      open
      form={form}
      okText="创建草稿"
      fields={{
        site: { options: sites, span: 2 },
        sellerSku: { placeholder: '最多 40 个字符', span: 2 },
        productType: { options: types, span: 2, ...(site ? {} : { help: '先选择店铺/站点' }) },
        asin: { hidden: initial.asin !== undefined, span: 2, placeholder: '跟卖已有商品时填写' },
      }}
      onSubmit={async (body) => {
        const { id } = await send.mutateAsync({ body });
        tab.open(FORM_PATH, { title: body.sellerSku, query: { id } });
      }}
      onClose={onClose}
    />
  );
}

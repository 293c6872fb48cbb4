import { useSend } from '#kit/web/api/index.ts';
import { FormDialog, useForm } from '#kit/web/form/index.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import { useSiteOptions } from '#modules/listing/web/index.ts';
import { createAplus } from '../contract/documents.ts';
import { localeOptions } from './locale-options.ts';
import { FORM_PATH } from './paths.ts';
import { CHANGED } from './refresh.ts';

/** 新建A+: the site, the language and the name of a document that is not there yet. */
export function NewDialog({ onClose }: { onClose: () => void }) {
  const tab = useTab();
  const sites = useSiteOptions() ?? [];
  const form = useForm(createAplus.body, {});
  const { site } = form.values as { site?: string };
  const send = useSend(createAplus, { refreshes: CHANGED, quiet: true });
  return (
    <FormDialog
      title="新建A+内容"
      open
      form={form}
      okText="创建草稿"
      fields={{
        site: { options: sites, span: 2 },
        locale: { options: localeOptions(site), span: 2, ...(site ? {} : { help: '先选择店铺/站点' }) },
        name: { span: 2, placeholder: '只在卖家后台显示，最多 100 个字符' },
      }}
      onSubmit={async (body) => {
        const { id } = await send.mutateAsync({ body });
        tab.open(FORM_PATH, { title: `A+ ${body.name}`, query: { id } });
      }}
      onClose={onClose}
    />
  );
}

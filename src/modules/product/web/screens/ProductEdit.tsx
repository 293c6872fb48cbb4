import { useCall } from '#kit/web/api/index.ts';
import { ErrorState } from '#kit/web/states/index.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import { productDetail } from '../../contract/material.ts';
import { Editor } from '../edit/Editor.tsx';

/** 新增产品, 编辑产品: `id` names the product, `copy` the one that a new one is like, `kind` what a new one is. */
export default function ProductEdit() {
  const search = new URLSearchParams(useTab().address.split('?')[1]);
  const id = search.get('id');
  const source = id ?? search.get('copy');
  const { data, isError, error, refetch } = useCall(
    productDetail,
    { params: { id: source ?? '' } },
    { enabled: source !== null, staleTime: 0 },
  );
  if (isError) return <ErrorState error={error} onRetry={() => void refetch()} text="这个产品没有取到。" />;
  if (source !== null && !data) return null;
  const kind = search.get('kind') ?? undefined;
  // Saved by somebody, perhaps oneself: the page begins anew with what stands now.
  return (
    <Editor
      key={`${source}${data?.version ?? ''}`}
      detail={id ? data : undefined}
      from={id ? undefined : data}
      kind={kind}
    />
  );
}

import { useEffect } from 'react';
import { useSend } from '#kit/web/api/index.ts';
import { Empty, ErrorState } from '#kit/web/states/index.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import { countDrafts, editListing, listDrafts } from '../../contract/draft.ts';
import { DraftPage } from '../DraftPage.tsx';
import '../form/publish.css';

/** 编辑商品: the draft `id`, or the one of the listing `listing`, which is begun where there is none. */
export default function Draft() {
  const tab = useTab();
  const query = new URLSearchParams(tab.address.split('?')[1]);
  const [id, listing] = [query.get('id'), query.get('listing')];
  const begin = useSend(editListing, { refreshes: [listDrafts, countDrafts], quiet: true });
  const { mutate } = begin;
  useEffect(() => {
    if (id === null && listing !== null) mutate({ body: { listingId: listing } });
  }, [id, listing, mutate]);
  const found = id ?? begin.data?.id;
  if (begin.isError) {
    return (
      <ErrorState
        error={begin.error}
        text="没有从亚马逊读取到商品。"
        onRetry={() => mutate({ body: { listingId: listing ?? '' } })}
      />
    );
  }
  if (id === null && listing === null) return <Empty title="没有指定商品" text="请从「商品刊登」打开一份草稿。" />;
  return found ? <DraftPage key={found} id={found} /> : <p className="label publish-search">正在从亚马逊读取商品…</p>;
}

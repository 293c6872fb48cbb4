import { metaOf } from '#kit/contract/columns.ts';
import { Money, State, StoreName, When } from '#kit/web/cells/index.ts';
import { FactColumns, Facts } from '#kit/web/document/index.ts';
import { termsWords } from '../contract/terms.ts';
import { CONDITIONS, FulfilledBy, type ListingDetail, ListingState } from '../contract.ts';

const SOURCES = { api: '接口同步', report: '商品报告' } as const;

function conditionText(condition: string | null): string | null {
  const known: Readonly<Record<string, { title: string }>> = CONDITIONS;
  return condition === null ? null : (known[condition]?.title ?? condition);
}

/** What a listing is, where and when it was read. */
export function Overview({ listing }: { listing: ListingDetail }) {
  return (
    <FactColumns>
      <Facts
        title="商品"
        facts={[
          { label: 'MSKU', value: <span className="code">{listing.sellerSku}</span> },
          { label: 'ASIN', value: listing.asin },
          { label: '父ASIN', value: listing.parentAsin },
          { label: 'FNSKU', value: listing.fnsku },
          { label: '商品类型', value: listing.productType },
          { label: '商品状况', value: conditionText(listing.condition) },
        ]}
      />
      <Facts
        title="销售"
        facts={[
          { label: '店铺', value: <StoreName store={listing.store} /> },
          { label: '状态', value: <State value={listing.state} states={metaOf(ListingState).states} /> },
          { label: '售价', value: <Money amount={listing.price} currency={listing.currency} />, strong: true },
          { label: '促销价', value: termsWords(listing.sale, listing.currency) },
          { label: 'B2B价', value: termsWords(listing.b2b, listing.currency) },
          { label: 'B2B数量折扣', value: termsWords(listing.tiers, listing.currency) },
          ...(listing.frozenUntil === null ? [] : [{ label: '调价冻结至', value: listing.frozenUntil }]),
          { label: '配送方式', value: metaOf(FulfilledBy).states?.[listing.fulfilledBy]?.title },
          { label: '自发货库存', value: listing.quantity },
        ]}
      />
      <Facts
        title="时间"
        facts={[
          { label: '上架时间', value: <When at={listing.openedAt} /> },
          { label: '亚马逊更新', value: <When at={listing.lastUpdatedAt} /> },
          { label: '首次同步', value: <When at={listing.firstSeenAt} /> },
          { label: '最近变化', value: <When at={listing.asOf} /> },
          { label: '移除时间', value: listing.goneAt ? <When at={listing.goneAt} /> : null },
          { label: '数据来源', value: SOURCES[listing.source] },
        ]}
      />
    </FactColumns>
  );
}

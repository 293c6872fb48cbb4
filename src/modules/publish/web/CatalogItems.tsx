import { Button } from 'antd';
import { useState } from 'react';
import { formatInteger } from '#kit/contract/format.ts';
import { useCall } from '#kit/web/api/index.ts';
import { Copy, Tag } from '#kit/web/cells/index.ts';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import { CatalogItem, checkRestrictions } from '../contract/catalog.ts';

interface Props {
  site: string;
  items: readonly CatalogItem[];
  /** Begins a draft that sells it too; absent without the right to. */
  onFollow: ((item: CatalogItem) => void) | undefined;
}

const KINDS = { APPROVAL_REQUIRED: '需要申请', ASIN_NOT_FOUND: '找不到 ASIN', NOT_ELIGIBLE: '不能销售' } as const;

/** Asked for one product at a time, on a click: Amazon counts each call. */
function Restriction({ site, asin }: { site: string; asin: string }) {
  const [asking, setAsking] = useState(false);
  const { data, isError } = useCall(
    checkRestrictions,
    { body: { site, asin } },
    { enabled: asking, staleTime: 600_000 },
  );
  if (!asking || isError) {
    return (
      <Button type="link" size="small" onClick={() => setAsking(true)}>
        {isError ? '检查失败，重试' : '检查跟卖资格'}
      </Button>
    );
  }
  if (!data) return <span className="label">检查中…</span>;
  if (data.allowed) return <Tag tone="done" title="可以跟卖" />;
  return data.reasons.map(({ kind, message, link }) => (
    <span key={kind} title={message}>
      <Tag tone={kind === 'APPROVAL_REQUIRED' ? 'waiting' : 'trouble'} title={KINDS[kind]} />
      {link && (
        <a className="link" href={link} target="_blank" rel="noreferrer">
          去申请
        </a>
      )}
    </span>
  ));
}

function Follow({ item, onFollow }: { item: CatalogItem; onFollow: Props['onFollow'] }) {
  return onFollow ? (
    <Button type="link" size="small" onClick={() => onFollow(item)}>
      加入草稿
    </Button>
  ) : null;
}

/** What was found, a card each. */
export function CatalogCards({ site, items, onFollow }: Props) {
  return (
    <div className="publish-cards">
      {items.map((item) => (
        <article className="publish-card" key={item.asin}>
          {item.product.image && <img src={item.product.image} alt="" loading="lazy" />}
          <h3 title={item.product.name}>{item.product.name}</h3>
          <span>
            <span className="code">{item.asin}</span> <Copy text={item.asin} />
          </span>
          <span className="label">{[item.brand, item.category].filter(Boolean).join(' · ') || '—'}</span>
          <span className="label">
            {item.rank === null ? '没有排名' : `${item.rankTitle ?? ''} 第 ${formatInteger(item.rank)} 名`}
          </span>
          <span className="label">
            {item.size ? `${item.size} cm` : '尺寸未知'} · {item.weight ? `${item.weight} kg` : '重量未知'}
          </span>
          <span>
            <Restriction site={site} asin={item.asin} />
            <Follow item={item} onFollow={onFollow} />
          </span>
        </article>
      ))}
    </div>
  );
}

const Listed = CatalogItem.extend({
  codes: CatalogItem.shape.codes.meta({ title: '跟卖资格', width: 220 }),
});

/** What was found, a line each. */
export function CatalogTable({ site, items, onFollow }: Props) {
  return (
    <LineTable
      row={Listed}
      rows={items}
      rowId={({ asin }) => asin}
      label="搜索结果"
      columns={{
        codes: {
          render: (item) => (
            <>
              <Restriction site={site} asin={item.asin} />
              <Follow item={item} onFollow={onFollow} />
            </>
          ),
        },
      }}
    />
  );
}

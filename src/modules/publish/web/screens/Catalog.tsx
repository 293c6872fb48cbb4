import { Button, Input, Select } from 'antd';
import { useEffect, useState } from 'react';
import { formatInteger } from '#kit/contract/format.ts';
import { download, useCall } from '#kit/web/api/index.ts';
import { ListHead } from '#kit/web/list/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { Empty, ErrorState } from '#kit/web/states/index.ts';
import { useSiteOptions } from '#modules/listing/web/index.ts';
import { CATALOG_EXPORT, type CatalogItem, exportCatalog, type IdType, searchCatalog } from '../../contract/catalog.ts';
import { EDIT } from '../../contract/draft.ts';
import { CatalogCards, CatalogTable } from '../CatalogItems.tsx';
import { NewDialog } from '../NewDialog.tsx';
import '../form/publish.css';

const ID_TYPES: readonly IdType[] = ['ASIN', 'EAN', 'UPC', 'GTIN', 'JAN', 'ISBN', 'SKU'];
type By = 'keywords' | IdType;

interface Wish {
  site: string;
  keywords?: string;
  ids?: string[];
  idType?: IdType;
  brand?: string | undefined;
  classificationId?: string | undefined;
  pageToken?: string | undefined;
}

/** Every page that was fetched for one search, each product once. */
interface Fetched {
  search: string;
  items: ReadonlyMap<string, CatalogItem>;
}

const NOTHING: Fetched['items'] = new Map();

const counted = (list: readonly { value: string; label: string; count: number }[] | undefined) =>
  list?.map(({ value, label, count }) => ({ value, label: `${label}（${formatInteger(count)}）` }));

/** 商品搜索: Amazon's catalogue by words or numbers, page by page. */
export default function Catalog() {
  const sites = useSiteOptions();
  const mayEdit = useAllowed(EDIT);
  const mayExport = useAllowed(CATALOG_EXPORT);
  const [site, setSite] = useState<string>();
  const [by, setBy] = useState<By>('keywords');
  const [text, setText] = useState('');
  const [wish, setWish] = useState<Wish>();
  const [cards, setCards] = useState(true);
  const [pages, setPages] = useState<Fetched>({ search: '', items: new Map() });
  const [following, setFollowing] = useState<CatalogItem>();
  const chosen = site ?? sites?.[0]?.value;
  const { data, isError, error, isFetching, isPlaceholderData, refetch } = useCall(
    searchCatalog,
    { body: wish ?? { site: chosen ?? '' } },
    { enabled: wish !== undefined, staleTime: 300_000, keep: true },
  );
  const search = () => {
    const words = text.trim();
    if (!chosen) return notice.warning('请选择店铺/站点');
    if (words === '') return notice.warning(by === 'keywords' ? '请输入搜索关键词' : '请输入编码');
    setWish(
      by === 'keywords'
        ? { site: chosen, keywords: words }
        : { site: chosen, ids: words.split(/[\s,;，；]+/).filter((id) => id !== ''), idType: by },
    );
  };
  const narrow = (more: Partial<Wish>) => wish && setWish({ ...wish, ...more, pageToken: undefined });
  const turn = (pageToken: string | null | undefined) => wish && pageToken && setWish({ ...wish, pageToken });
  const now = JSON.stringify({ ...wish, pageToken: undefined });
  useEffect(() => {
    if (!data || isPlaceholderData) return;
    setPages(({ search: before, items }) => {
      const found = data.items.map((item): [string, CatalogItem] => [item.asin, item]);
      return { search: now, items: new Map([...(before === now ? items : []), ...found]) };
    });
  }, [data, isPlaceholderData, now]);
  const fetched = pages.search === now ? pages.items : NOTHING;
  const follow = mayEdit ? setFollowing : undefined;
  const body = () => {
    if (isError) return <ErrorState error={error} onRetry={() => void refetch()} text="没有搜索到结果。" />;
    if (!wish || !data)
      return <Empty title="搜索亚马逊商品" text="多个关键词用分号隔开，最多 20 个；也可以按编码查询。" />;
    if (data.items.length === 0) return <Empty title="没有找到商品" text="换一个关键词或站点再试。" />;
    return cards ? (
      <CatalogCards site={wish.site} items={data.items} onFollow={follow} />
    ) : (
      <CatalogTable site={wish.site} items={data.items} onFollow={follow} />
    );
  };
  return (
    <div className="page-list">
      <ListHead title="商品搜索">
        {mayExport && (
          <Button
            disabled={fetched.size === 0}
            onClick={() =>
              void download(exportCatalog, { body: { site: wish?.site ?? '', items: [...fetched.values()] } })
            }
          >
            {fetched.size > 0 ? `导出已获取的 ${formatInteger(fetched.size)} 个` : '导出'}
          </Button>
        )}
        <Button onClick={() => setCards(!cards)}>{cards ? '列表' : '卡片'}</Button>
      </ListHead>
      <div className="publish-search">
        <Select
          aria-label="店铺/站点"
          placeholder="店铺/站点"
          value={chosen}
          options={sites ?? []}
          onChange={(value) => {
            setSite(value);
            setWish(undefined);
          }}
        />
        <Select
          aria-label="搜索方式"
          value={by}
          options={[{ value: 'keywords', label: '关键词' }, ...ID_TYPES.map((type) => ({ value: type, label: type }))]}
          onChange={setBy}
        />
        <Input.Search
          aria-label="搜索内容"
          style={{ width: 360 }}
          placeholder={by === 'keywords' ? '关键词，用分号隔开' : '编码，最多 20 个'}
          value={text}
          loading={isFetching}
          enterButton="搜索"
          onChange={(event) => setText(event.target.value)}
          onSearch={search}
        />
        {wish?.keywords !== undefined && data && (
          <>
            <Select
              aria-label="品牌"
              placeholder="品牌"
              allowClear
              value={wish.brand ?? null}
              options={counted(data.brands) ?? []}
              onChange={(brand) => narrow({ brand: brand ?? undefined })}
            />
            <Select
              aria-label="分类"
              placeholder="分类"
              allowClear
              value={wish.classificationId ?? null}
              options={counted(data.classes) ?? []}
              onChange={(classificationId) => narrow({ classificationId: classificationId ?? undefined })}
            />
          </>
        )}
      </div>
      <div className="publish-found">{body()}</div>
      {wish && data && (
        <div className="publish-foot">
          <span className="label">共 {formatInteger(data.total)} 个商品</span>
          <span className="spring" />
          <Button size="small" disabled={!data.previous || isFetching} onClick={() => turn(data.previous)}>
            上一页
          </Button>
          <Button size="small" disabled={!data.next || isFetching} onClick={() => turn(data.next)}>
            下一页
          </Button>
        </div>
      )}
      {following && wish && (
        <NewDialog
          initial={{
            site: wish.site,
            asin: following.asin,
            ...(following.productType ? { productType: following.productType } : {}),
          }}
          onClose={() => setFollowing(undefined)}
        />
      )}
    </div>
  );
}

import { Segmented } from 'antd';
import { type ComponentProps, useState } from 'react';
import type { z } from 'zod';
import { round } from '#kit/contract/decimal.ts';
import { useCall } from '#kit/web/api/index.ts';
import { mixedTotal } from '#kit/web/cells/index.ts';
import { ListScreen } from '#kit/web/list/index.ts';
import { Empty } from '#kit/web/states/index.ts';
import { TabLink } from '#kit/web/tabs/TabLink.tsx';
import { useSiteOptions } from '#modules/listing/web/index.ts';
import {
  AdGroupRow,
  adGroups,
  CampaignFilter,
  CampaignRow,
  campaignChoices,
  campaigns,
  NegativeFilter,
  NegativeRow,
  negatives,
  PartFilter,
  ProductAdRow,
  productAds,
  TargetRow,
  TermFilter,
  TermRow,
  targets,
  terms,
} from '../../contract/lists.ts';
import {
  ChangeFilter,
  ChangeRow,
  changes,
  PlacementFilter,
  PlacementRow,
  placements,
} from '../../contract/more-lists.ts';
import { LEVELS, type Level, lastMonth, useLevel } from '../levels.ts';

type Part = Pick<
  ComponentProps<typeof ListScreen<z.ZodObject, z.ZodObject>>,
  'endpoint' | 'exportEndpoint' | 'row' | 'filter' | 'unit'
>;

const part = (
  { list, export: exportEndpoint }: { list: Part['endpoint']; export: Part['endpoint'] },
  row: z.ZodObject,
  filter: z.ZodObject,
  unit: string,
): Part => ({ endpoint: list, exportEndpoint, row, filter, unit });

const PARTS: Record<Level, Part> = {
  campaigns: part(campaigns, CampaignRow, CampaignFilter, '个广告活动'),
  adGroups: part(adGroups, AdGroupRow, PartFilter, '个广告组'),
  productAds: part(productAds, ProductAdRow, PartFilter, '个商品'),
  targets: part(targets, TargetRow, PartFilter, '个投放'),
  terms: part(terms, TermRow, TermFilter, '个搜索词'),
  negatives: part(negatives, NegativeRow, NegativeFilter, '条'),
  placements: part(placements, PlacementRow, PlacementFilter, '个广告位'),
  changes: part(changes, ChangeRow, ChangeFilter, '条'),
};

/** A ratio of about one to ten is read with two decimals. */
const roasOf = (row: Record<string, unknown>): string => (row.roas == null ? '—' : round(String(row.roas), 2));
const COLUMNS = {
  ...Object.fromEntries(
    ['cost', 'adSales', 'sameSales', 'otherSales'].map((field) => [field, { total: mixedTotal(field) }]),
  ),
  roas: { render: roasOf, text: roasOf },
};

const FIGURES = '日期为站点当地日期；最近 31 天的数据会随亚马逊修正';
const NOTES: Partial<Record<Level, string>> = {
  negatives: '',
  changes: '亚马逊提供最近 90 天商品推广与品牌推广的修改，不提供操作人',
};
const isMeasured = (level: Level) => !Object.hasOwn(NOTES, level);

const OPTIONS = Object.entries(LEVELS).map(([value, label]) => ({ value: value as Level, label }));

const NOTHING = (
  <Empty title="还没有广告数据" text="完成广告授权后自动同步；报告由亚马逊生成，首次约需几分钟到几小时。">
    <TabLink to="/amazon/storeAuth" title="店铺管理">
      去授权广告
    </TabLink>
  </Empty>
);

/**
 * 广告活动: campaigns and, below them, groups, ads, targets, search terms, negatives and placements with their figures,
 * and what was changed of them.
 */
export default function Manager() {
  const { level, go } = useLevel();
  const sites = useSiteOptions();
  const campaign = useCall(campaignChoices, {}, { staleTime: 60_000 }).data;
  const [defaults] = useState(() => ({ dates: lastMonth() }));
  // Where no campaign ever was, no period is to blame for the empty list.
  const dated = isMeasured(level) && campaign?.length !== 0;
  const levels = <Segmented aria-label="层级" options={OPTIONS} value={level} onChange={(next) => go(next)} />;
  return (
    <ListScreen
      key={level}
      name={`advertising/${level}`}
      title="广告活动"
      {...PARTS[level]}
      {...(isMeasured(level) ? { columns: COLUMNS } : {})}
      {...(dated ? { defaults } : {})}
      options={{ sites, campaign }}
      head={levels}
      empty={NOTHING}
      note={NOTES[level] ?? FIGURES}
      {...(level === 'campaigns' ? { onOpen: (row) => go('targets', String(row.id)) } : {})}
    />
  );
}

import { Tooltip } from 'antd';
import { useMemo, useState } from 'react';
import { formatPercent } from '#kit/contract/format.ts';
import { Tag } from '#kit/web/cells/index.ts';
import type { ColumnOverrides } from '#kit/web/grid/index.ts';
import { ListScreen } from '#kit/web/list/index.ts';
import { useAllowed } from '#kit/web/session.ts';
import { Empty } from '#kit/web/states/index.ts';
import { TabLink } from '#kit/web/tabs/TabLink.tsx';
import { useSiteOptions } from '#modules/listing/web/index.ts';
import { countRanks, exportRanks, listRanks, NOBODY, OURS, RankFilter, RankRow } from '../../contract/ranks.ts';
import { useCareOptions } from '../care.tsx';
import { ALERTS_PATH } from '../paths.ts';
import { RankDrawer } from '../RankDrawer.tsx';

const NONE = <span className="text3">—</span>;
/** What alerts there are of Buy Boxes, rivals and ranks. */
const ALERT_KINDS = ['BUYBOX_LOST', 'RIVAL_PRICE', 'RANK_FALL'];

const DEFAULTS = { period: 'days7' };

const COLUMNS: ColumnOverrides<RankRow> = {
  holder: {
    render: ({ holder, lost }) => {
      if (holder === null) return NONE;
      if (holder === OURS || holder === NOBODY)
        return <Tag tone={holder === OURS ? 'done' : 'trouble'} title={holder} />;
      return lost ? <Tag tone="trouble" title={holder} /> : <span className="code">{holder}</span>;
    },
    text: ({ holder }) => holder ?? '',
  },
  // A share of little time says little: how much was seen is said with it.
  share: {
    render: ({ share, coverage }) => (
      <Tooltip title={coverage === null ? '还没有读取过报价' : `采样覆盖率 ${formatPercent(coverage)}`}>
        {share === null ? NONE : <span>{formatPercent(share)}</span>}
      </Tooltip>
    ),
    text: ({ share }) => share ?? '',
  },
};

/** 排名与购物车: which listings lose rank or the Buy Box, to whom, and how often they have it. */
export default function Ranks() {
  const [open, setOpen] = useState<string>();
  const sites = useSiteOptions();
  const { people } = useCareOptions();
  const options = useMemo(() => ({ sites, owners: people ?? [] }), [sites, people]);
  const mayExport = useAllowed('amz:analysis:export');
  const mayAlerts = useAllowed('amz:alert:view');
  return (
    <>
      <ListScreen
        name="analysis/ranks"
        title="排名与购物车"
        unit="个商品"
        endpoint={listRanks}
        {...(mayExport ? { exportEndpoint: exportRanks } : {})}
        row={RankRow}
        filter={RankFilter}
        modes={['period']}
        defaults={DEFAULTS}
        tabs={{ field: 'tab', counts: countRanks }}
        options={options}
        columns={COLUMNS}
        current={open}
        onOpen={({ id }) => setOpen(id)}
        {...(mayAlerts
          ? {
              head: (
                <TabLink to={ALERTS_PATH} title="预警中心" query={{ 'f.kinds': ALERT_KINDS }}>
                  预警规则
                </TabLink>
              ),
            }
          : {})}
        note="占有率的近几天截至昨日，按站点日；排名下跌为7天跌幅超过30%"
        empty={
          <Empty title="没有在售商品" text="授权店铺后自动同步在线商品，随后每日读取两次排名，并持续读取竞争报价。">
            <TabLink to="/amazon/storeAuth" title="店铺管理">
              去授权店铺
            </TabLink>
          </Empty>
        }
      />
      <RankDrawer id={open} onClose={() => setOpen(undefined)} />
    </>
  );
}

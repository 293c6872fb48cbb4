import type { ReactNode } from 'react';
import { NoticeCard } from '#modules/message/web/index.ts';
import type { CardKey } from '../../contract/card-list.ts';
import { Ads } from './Ads.tsx';
import { Goods } from './Goods.tsx';
import { Kpi } from './Kpi.tsx';
import { Markets } from './Markets.tsx';
import { Pace } from './Pace.tsx';
import { People } from './People.tsx';
import type { CardProps } from './props.ts';
import { SalesTrend } from './SalesTrend.tsx';
import { Service } from './Service.tsx';
import { SettlementCard } from './Settlement.tsx';
import { Shops } from './Shops.tsx';
import { StockCard } from './Stock.tsx';
import { SyncCard } from './Sync.tsx';
import { Todos } from './Todos.tsx';

/** What draws each card. */
export const VIEWS: Record<CardKey, (props: CardProps) => ReactNode> = {
  kpi: (props) => <Kpi {...props} />,
  salesChart: (props) => <SalesTrend {...props} />,
  compare: (props) => <Pace {...props} />,
  pieChart: (props) => <Markets {...props} />,
  stockChart: (props) => <StockCard {...props} />,
  settlement: (props) => <SettlementCard {...props} />,
  adChart: (props) => <Ads {...props} />,
  storeShow: (props) => <Shops {...props} />,
  goodsRank: (props) => <Goods {...props} />,
  personRank: (props) => <People {...props} />,
  todo: () => <Todos />,
  sync: (props) => <SyncCard {...props} />,
  notice: () => <NoticeCard />,
  service: (props) => <Service {...props} />,
};

import '../home.css';
import { useCall } from '#kit/web/api/index.ts';
import { CardsPage } from '#kit/web/cards/index.ts';
import { Banner, ErrorState } from '#kit/web/states/index.ts';
import { NoticeCard } from '#modules/message/web/index.ts';
import { kpi, setup } from '../../contract.ts';
import { FirstUse } from '../FirstUse.tsx';
import { HomeFilters } from '../HomeFilters.tsx';
import { Goods, Markets, Pace, SalesTrend } from '../SalesCards.tsx';
import { Strip } from '../Strip.tsx';
import { SettlementCard, StockCard, SyncCard } from '../SupplyCards.tsx';
import { useHome } from '../use-home.ts';

/** Until the first orders are here the page looks again this often (ms). */
const WAITING = 5_000;

/** Head and five lines. */
const NOTICE_HEIGHT = 256;

/** 首页: the figures of the period, and what needs a look; every card loads and fails alone. */
export default function Home() {
  const home = useHome();
  const { filter } = home;
  const first = useCall(setup, { body: {} });
  const waiting = first.data !== undefined && !first.data.hasData;
  const state = useCall(setup, { body: {} }, { every: waiting ? WAITING : false });
  const figures = useCall(kpi, { body: { filter } }, { enabled: state.data?.hasData ?? false, keep: true });
  const filters = <HomeFilters home={home} choices={state.data} figures={figures.data} />;
  if (state.isError && !state.data) {
    return (
      <CardsPage filters={filters}>
        <div className="home-first">
          <ErrorState error={state.error} onRetry={() => void state.refetch()} />
        </div>
      </CardsPage>
    );
  }
  if (state.data && !state.data.hasData) {
    return (
      <CardsPage filters={filters}>
        <FirstUse state={state.data} filter={filter} />
      </CardsPage>
    );
  }
  const missing = figures.data?.netSales?.missingRates ?? [];
  return (
    <CardsPage filters={filters}>
      {missing.length > 0 && (
        <div className="home-first">
          <Banner>缺少汇率：{missing.join('、')}，未计入合计</Banner>
        </div>
      )}
      <Strip query={figures} filter={filter} sites={state.data?.sites ?? []} />
      <SalesTrend filter={filter} />
      <Pace filter={filter} />
      <Markets filter={filter} />
      <StockCard filter={filter} />
      <SettlementCard filter={filter} />
      <Goods filter={filter} />
      <SyncCard filter={filter} />
      <NoticeCard span={12} height={NOTICE_HEIGHT} />
    </CardsPage>
  );
}

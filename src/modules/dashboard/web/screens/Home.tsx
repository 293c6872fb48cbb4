import '../home.css';
import { useCall } from '#kit/web/api/index.ts';
import { CardsPage } from '#kit/web/cards/index.ts';
import { useAllowed } from '#kit/web/session.ts';
import { Banner, ErrorState } from '#kit/web/states/index.ts';
import { kpi, setup } from '../../contract.ts';
import { EditBar } from '../EditBar.tsx';
import { FirstUse } from '../FirstUse.tsx';
import { HomeCards } from '../HomeCards.tsx';
import { HomeFilters } from '../HomeFilters.tsx';
import { useHome } from '../use-home.ts';
import { useLayout } from '../use-layout.ts';

/** Until the first orders are here the page looks again this often (ms). */
const WAITING = 5_000;

/** 首页: the figures of the period, and what needs a look, as everybody arranged it; every card loads and fails alone. */
export default function Home() {
  const home = useHome();
  const { filter } = home;
  const figured = useAllowed('dash:home:view');
  const first = useCall(setup, { body: {} }, { enabled: figured });
  const waiting = first.data !== undefined && !first.data.hasData;
  const state = useCall(setup, { body: {} }, { enabled: figured, every: waiting ? WAITING : false });
  const figures = useCall(kpi, { body: { filter } }, { enabled: state.data?.hasData ?? false, keep: true });
  const layout = useLayout();
  const isNew = state.data !== undefined && !state.data.hasData;
  const filters = layout.editing ? (
    <EditBar layout={layout} />
  ) : (
    <HomeFilters
      home={home}
      choices={state.data}
      figures={figures.data}
      onEdit={isNew || !layout.query.data ? undefined : layout.edit}
    />
  );
  const failed = [state, layout.query].find((query) => query.isError && !query.data);
  const missing = figures.data?.netSales?.missingRates ?? [];
  return (
    <CardsPage filters={filters}>
      {failed && (
        <div className="home-first">
          <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />
        </div>
      )}
      {missing.length > 0 && (
        <div className="home-first">
          <Banner>缺少汇率：{missing.join('、')}，未计入合计</Banner>
        </div>
      )}
      {!failed && isNew && state.data && <FirstUse state={state.data} filter={filter} />}
      {!failed && !isNew && layout.query.data && (state.data || !figured) && (
        <HomeCards layout={layout} filter={filter} state={state.data} />
      )}
    </CardsPage>
  );
}

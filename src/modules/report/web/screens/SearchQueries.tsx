import { ListScreen } from '#kit/web/list/index.ts';
import { Empty } from '#kit/web/states/index.ts';
import { useSiteOptions } from '#modules/listing/web/index.ts';
import { SearchQueryFilter, SearchQueryRow, searchQueries } from '../../contract/search-queries.ts';

/** 搜索词表现: what came of each search query for each product of a brand, by week. */
export default function SearchQueries() {
  const sites = useSiteOptions();
  return (
    <ListScreen
      name="report/searchQueries"
      title="搜索词表现"
      unit="行"
      endpoint={searchQueries.list}
      exportEndpoint={searchQueries.export}
      row={SearchQueryRow}
      filter={SearchQueryFilter}
      options={{ sites }}
      empty={
        <Empty
          title="还没有搜索词表现"
          text="需要品牌备案和品牌分析权限；授权后每周按在售ASIN自动获取，也可以在「上传报表」上传。"
        />
      }
    />
  );
}

import { ListScreen } from '#kit/web/list/index.ts';
import { Empty } from '#kit/web/states/index.ts';
import { useSiteOptions } from '#modules/listing/web/index.ts';
import { searchTerms, TermFilter, TermRow } from '../../contract/reports.ts';

/** 品牌分析搜索词: what everybody searches for, and what is clicked on then. */
export default function SearchTerms() {
  const sites = useSiteOptions();
  return (
    <ListScreen
      name="report/searchTerms"
      title="品牌分析搜索词"
      unit="行"
      endpoint={searchTerms.list}
      exportEndpoint={searchTerms.export}
      row={TermRow}
      filter={TermFilter}
      options={{ sites }}
      empty={
        <Empty
          title="还没有品牌分析搜索词"
          text="需要品牌备案和品牌分析权限；授权后每周自动获取，也可以在「上传报表」上传。"
        />
      }
    />
  );
}

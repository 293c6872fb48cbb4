import { ListScreen } from '#kit/web/list/index.ts';
import { Empty } from '#kit/web/states/index.ts';
import { useSiteOptions } from '#modules/listing/web/index.ts';
import { TrafficFilter, TrafficRow, traffic } from '../../contract/reports.ts';

/** 流量报表: how many came to look at each product, and how many bought. */
export default function Traffic() {
  const sites = useSiteOptions();
  return (
    <ListScreen
      name="report/traffic"
      title="流量报表"
      unit="行"
      endpoint={traffic.list}
      exportEndpoint={traffic.export}
      row={TrafficRow}
      filter={TrafficFilter}
      options={{ sites }}
      empty={
        <Empty title="还没有流量报表" text="授权店铺后自动获取亚马逊报告，也可以在「上传报表」上传下载好的报告文件。" />
      }
    />
  );
}

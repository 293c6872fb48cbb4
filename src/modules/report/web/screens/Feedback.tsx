import { ListScreen } from '#kit/web/list/index.ts';
import { Empty } from '#kit/web/states/index.ts';
import { useSiteOptions } from '#modules/listing/web/index.ts';
import { FeedbackFilter, FeedbackRow, feedback } from '../../contract/reports.ts';

/** 卖家反馈: what buyers say about the seller. */
export default function Feedback() {
  const sites = useSiteOptions();
  return (
    <ListScreen
      name="report/feedback"
      title="卖家反馈"
      unit="条"
      endpoint={feedback.list}
      exportEndpoint={feedback.export}
      row={FeedbackRow}
      filter={FeedbackFilter}
      options={{ sites }}
      empty={
        <Empty title="还没有卖家反馈" text="授权店铺后自动获取亚马逊报告，也可以在「上传报表」上传下载好的报告文件。" />
      }
    />
  );
}

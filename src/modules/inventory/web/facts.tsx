import type { StateMeta } from '#kit/contract/field.ts';
import type { FilterOption } from '#kit/web/list/index.ts';
import { Empty } from '#kit/web/states/index.ts';
import { TabLink } from '#kit/web/tabs/TabLink.tsx';

/** Choices of a filter from the words that a report is known to use. */
export function optionsOf(states: Readonly<Record<string, StateMeta>>): FilterOption[] {
  return Object.entries(states).map(([value, { title }]) => ({ value, label: title }));
}

/** What a word of a report is called; itself where it is not known. */
export function wordOf(states: Readonly<Record<string, StateMeta>>, value: string): string {
  return states[value]?.title ?? value;
}

/** Said by a list that no report has filled yet; `when` is how often the report is fetched. */
export function nothingYet(title: string, when = '每天') {
  return (
    <Empty title={`还没有${title}`} text={`授权店铺后${when}自动获取亚马逊报告，也可以上传下载好的报告文件。`}>
      <TabLink to="/amazon/reportUpload" title="上传报表">
        去上传报表
      </TabLink>
    </Empty>
  );
}

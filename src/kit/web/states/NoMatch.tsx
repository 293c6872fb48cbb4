import { SearchOutlined } from '@ant-design/icons';
import { Button } from 'antd';

/** Nothing found: names the filters and offers to clear them. */
export function NoMatch({ filters, onClear }: { filters: readonly string[]; onClear: () => void }) {
  return (
    <div className="state">
      <SearchOutlined className="state-icon" />
      <h2>没有符合条件的数据</h2>
      <p>当前筛选：{filters.length > 0 ? filters.join('；') : '无'}</p>
      <div className="state-actions">
        <Button onClick={onClear}>清除筛选</Button>
      </div>
    </div>
  );
}

import { useCall } from '#kit/web/api/index.ts';
import { ProgressBar, Tag } from '#kit/web/cells/index.ts';
import { supplierScorecard } from '../contract.ts';
import { GradeHistory, TONES } from './GradeHistory.tsx';

const PARTS = [
  ['delivery', '交期', '按时收满 95% 的订单行'],
  ['quality', '质量', '次品率达到 5% 为 0 分'],
  ['price', '价格', '比最优报价或去年高 10% 为 0 分'],
  ['service', '服务', '人工评分'],
] as const;

/** 评分: the scorecard of the running quarter, and how the grade came about. */
export function Scores({ id, name }: { id: string; name: string }) {
  const { data } = useCall(supplierScorecard, { body: { id } });
  if (!data) return <span className="skeleton" />;
  return (
    <div className="supplier-card">
      <b>
        {data.from} 至 {data.to}　{data.lines} 行
        {data.grade && <Tag tone={TONES[data.grade]} title={`${data.total} 分 · ${data.grade}`} />}
      </b>
      {data.total === null && <span className="text3">不足 5 行，不计总分。</span>}
      <div className="line-table is-dense">
        <table aria-label="评分">
          <tbody>
            {PARTS.map(([key, title, hint]) => (
              <tr key={key}>
                <td title={hint}>{title}</td>
                <td className="num text3">{Number(data[key].share) * 100}%</td>
                <td style={{ width: 180 }}>
                  {data[key].points === null ? '—' : <ProgressBar percent={Number(data[key].points)} />}
                </td>
                <td className="is-right num">{data[key].points ?? '—'}</td>
              </tr>
            ))}
            <tr>
              <td>平均交货天数</td>
              <td />
              <td />
              <td className="is-right num">{data.leadDays ?? '—'}</td>
            </tr>
          </tbody>
        </table>
      </div>
      <GradeHistory id={id} name={name} />
    </div>
  );
}

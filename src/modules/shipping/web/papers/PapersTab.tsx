import { DownloadOutlined } from '@ant-design/icons';
import { Button, Dropdown, Modal } from 'antd';
import { formatInteger, formatMoney } from '#kit/contract/format.ts';
import { download, messageOf, useCall } from '#kit/web/api/index.ts';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import { type PaperKind, PaperRow, shipPaperFile, shipPapers } from '../../contract/papers/papers.ts';

/** More SKUs than that are counted. */
const MOST = 20;

const PAPERS: { paper: PaperKind; title: string }[] = [
  { paper: 'invoice', title: '商业发票' },
  { paper: 'packing', title: '装箱单' },
  { paper: 'elements', title: '报关要素' },
];

interface GapsProps {
  rows: readonly PaperRow[];
  problems: readonly string[];
}

/** What is missing, by SKU. */
function Gaps({ rows, problems }: GapsProps) {
  const bad = rows.filter((row) => row.missing.length > 0);
  return (
    <ul className="ship-gaps">
      {problems.map((text) => (
        <li key={text}>{text}</li>
      ))}
      {bad.slice(0, MOST).map((row) => (
        <li key={row.id}>
          SKU【{row.product.code}】缺少{row.missing.join('、')}
        </li>
      ))}
      {bad.length > MOST && <li>另有 {bad.length - MOST} 个SKU资料不全</li>}
    </ul>
  );
}

/** 报关资料 of an order: what customs want to know of its goods, and the papers. */
export function PapersTab({ id }: { id: string }) {
  const { data, error } = useCall(shipPapers, { params: { id } }, { staleTime: 0 });
  if (error) return <div className="line-table-none">{messageOf(error)}</div>;
  const { rows = [], problems = [] } = data ?? {};
  const gaps = problems.length > 0 || rows.some((row) => row.missing.length > 0);
  const get = (paper: PaperKind, format: 'xlsx' | 'pdf') => {
    const start = () => download(shipPaperFile, { params: { id }, query: { paper, format } });
    if (!gaps) return void start().catch(() => {});
    Modal.confirm({
      title: '资料不全',
      width: 560,
      content: (
        <>
          <p>缺少的内容在文件中标为「待补」或 [?]，补齐后再提交海关。</p>
          <Gaps rows={rows} problems={problems} />
        </>
      ),
      okText: '仍要下载',
      onOk: () => start().catch(() => {}),
    });
  };
  const facts = data && [
    `${formatInteger(rows.length)} 个产品 共 ${formatInteger(data.pieces)} 件`,
    `${formatInteger(data.boxes)} 箱`,
    `净重 ${data.net ?? '—'} kg`,
    `毛重 ${data.gross ?? '—'} kg`,
    ...data.amounts.map(({ currency, amount }) => `申报 ${formatMoney(amount, currency)}`),
  ];
  return (
    <>
      <div className="box-bar">
        <span>{facts?.join(' · ')}</span>
        <span className="spring" />
        {PAPERS.map(({ paper, title }) => (
          <Dropdown
            key={paper}
            trigger={['click']}
            disabled={!data}
            menu={{
              items: [
                { key: 'pdf', label: 'PDF', onClick: () => get(paper, 'pdf') },
                { key: 'xlsx', label: 'Excel', onClick: () => get(paper, 'xlsx') },
              ],
            }}
          >
            <Button size="small">{title}</Button>
          </Dropdown>
        ))}
        <Button size="small" icon={<DownloadOutlined />} disabled={!data} onClick={() => get('all', 'pdf')}>
          全部下载
        </Button>
      </div>
      {gaps && data && (
        <div className="ship-note warning">
          <Gaps rows={rows} problems={problems} />
        </div>
      )}
      <LineTable row={PaperRow} rows={data?.rows} label="报关资料" />
    </>
  );
}

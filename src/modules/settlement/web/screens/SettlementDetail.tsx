import '../settlement.css';
import { ArrowLeftOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { type ReactNode, useState } from 'react';
import { metaOf } from '#kit/contract/columns.ts';
import { formatInteger, formatMoney } from '#kit/contract/format.ts';
import { Allowed } from '#kit/web/Allowed.tsx';
import { useCall, useSend } from '#kit/web/api/index.ts';
import { type Figure, FigureLine } from '#kit/web/cards/Figures.tsx';
import { Copy, dateText, Money, State, StoreName } from '#kit/web/cells/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { Proof } from '#kit/web/proof/Proof.tsx';
import { ErrorState } from '#kit/web/states/index.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import {
  type SettlementDetail as Detail,
  FIGURE_LINES,
  ReconState,
  type SettlementRow,
  settlementDetail,
  TransferState,
  verifySettlement,
} from '../../contract/settlements.ts';
import { FeeTree } from '../FeeTree.tsx';
import { LinesDrawer, type OpenFigure } from '../LinesDrawer.tsx';

function Head({ row, onBack, children }: { row: SettlementRow; onBack: () => void; children: ReactNode }) {
  return (
    <div className="document-head">
      <button type="button" className="icon-button" aria-label="返回结算记录" onClick={onBack}>
        <ArrowLeftOutlined />
      </button>
      <h1 className="code">{row.settlementId}</h1>
      <Copy text={row.settlementId} />
      <State value={row.transfer} states={metaOf(TransferState).states} />
      <State value={row.recon} states={metaOf(ReconState).states} />
      <span className="divider" />
      <StoreName store={row.store} />
      <span className="document-subject">
        {row.startAt ? dateText(row.startAt) : '—'} 至 {dateText(row.endAt)}
      </span>
      <span className="spring" />
      {children}
    </div>
  );
}

type HeadKey = keyof typeof FIGURE_LINES;

const MONEY: [key: Exclude<HeadKey, 'units' | 'orders'>, label: string][] = [
  ['total', '存款总计'],
  ['sales', '销售额'],
  ['skuNet', 'SKU结算'],
  ['shopFees', '店铺费用'],
  ['fees', '平台费用合计'],
];
const COUNTS: [key: 'units' | 'orders', label: string, counts: NonNullable<OpenFigure['counts']>][] = [
  ['units', '销量', 'quantity'],
  ['orders', '订单量', 'orders'],
];

/** The head figures, each open to the lines that come to it. */
function figuresOf({ settlement, figures }: Detail, onOpen: (figure: OpenFigure) => void): Figure[] {
  const amounts = { ...figures, total: settlement.total };
  const money = MONEY.map(([key, title]): Figure => {
    const amount = amounts[key];
    return {
      key,
      label: title,
      value: <Money amount={amount} currency={settlement.currency} />,
      onOpen: () => onOpen({ title, amount, filter: FIGURE_LINES[key] }),
    };
  });
  const counts = COUNTS.map(([key, title, of]): Figure => {
    const amount = String(figures[key]);
    return {
      key,
      label: title,
      value: formatInteger(figures[key]),
      onOpen: () => onOpen({ title, amount, counts: of, filter: FIGURE_LINES[key] }),
    };
  });
  return [...money.slice(0, 2), ...counts, ...money.slice(2)];
}

/** Money of the store as a whole, and what has been proved of the settlement. */
function Side({ detail, onOpen }: { detail: Detail; onOpen: (figure: OpenFigure) => void }) {
  const { currency } = detail.settlement;
  return (
    <aside>
      <h2>店铺费用（没有 SKU）</h2>
      <div className="line-table is-dense">
        <table aria-label="店铺费用">
          <tbody>
            {detail.shop.map((item) => (
              <tr key={`${item.feeCode} ${item.amountDescription}`}>
                <td title={item.amountDescription}>{item.title}</td>
                <td className="is-right">
                  <button
                    type="button"
                    className="drill"
                    onClick={() =>
                      onOpen({
                        title: `店铺费用 · ${item.title}`,
                        amount: item.amount,
                        filter: { feeCode: item.feeCode, amountDescription: item.amountDescription, shop: true },
                      })
                    }
                  >
                    <Money amount={item.amount} currency={currency} />
                  </button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
        {detail.shop.length === 0 && <div className="line-table-none">本账期没有店铺费用</div>}
      </div>
      <h2>核对</h2>
      <div className="fee-checks">
        {detail.checks.map((check) => (
          <div key={check.code}>
            <Proof total={check.expected} lines={check.actual} currency={currency} text={check.title} />
            <div className="label">{check.detail}</div>
          </div>
        ))}
      </div>
    </aside>
  );
}

/** 账期详情: what a settlement is made of, each amount open to its lines, and the proof of its total. */
export default function SettlementDetail() {
  const tab = useTab();
  const id = new URLSearchParams(tab.address.split('?')[1]).get('id') ?? '';
  const { data, isError, error, refetch } = useCall(settlementDetail, { params: { id } });
  const [figure, setFigure] = useState<OpenFigure>();
  const verify = useSend(verifySettlement, {
    refreshes: [settlementDetail],
    onSuccess: ({ ok, checks }) => {
      if (ok) notice.success(`校验通过：${checks.length} 项全部一致`);
      else notice.error('校验未通过，请查看核对结果');
    },
  });
  if (isError) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return null;
  const { settlement, proof } = data;
  return (
    <div className="page-document">
      <Head row={settlement} onBack={() => tab.open('/amazon/payment/record', { title: '结算记录' })}>
        <Button onClick={() => setFigure({ title: '全部明细行', amount: settlement.total, filter: {} })}>
          查看全部明细
        </Button>
        <Allowed code="fin:settlement:run">
          <Button loading={verify.isPending} onClick={() => verify.mutate({ params: { id } })}>
            校验
          </Button>
        </Allowed>
      </Head>
      <FigureLine figures={figuresOf(data, setFigure)} />
      <div className="document-content">
        <div className="fee-panels">
          <section>
            <FeeTree nodes={data.tree} currency={settlement.currency} onOpen={setFigure} />
          </section>
          <Side detail={data} onOpen={setFigure} />
        </div>
      </div>
      <div className="action-bar">
        <Proof total={proof.total} lines={proof.lineSum} currency={settlement.currency} text="文件总额 = Σ行" />
        <span className="label">
          文件总额 {formatMoney(proof.total, settlement.currency)} · {formatInteger(settlement.lineCount)} 行 ·{' '}
          {settlement.fileName}
        </span>
      </div>
      <LinesDrawer
        id={id}
        settlementId={settlement.settlementId}
        currency={settlement.currency}
        figure={figure}
        onClose={() => setFigure(undefined)}
      />
    </div>
  );
}

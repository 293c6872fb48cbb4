import { CheckCircleFilled, ExclamationCircleFilled, InfoCircleFilled, WarningFilled } from '@ant-design/icons';
import { Money } from '#kit/web/cells/index.ts';
import type { Finding, OrderCheck } from '../../contract/order.ts';

const MARKS = {
  error: <ExclamationCircleFilled className="danger" />,
  warning: <WarningFilled className="warning" />,
  hint: <InfoCircleFilled className="accent" />,
};

function Findings({ findings }: { findings: readonly Finding[] }) {
  if (findings.length === 0) {
    return (
      <div className="order-finding">
        <CheckCircleFilled className="success" />
        没有发现问题
      </div>
    );
  }
  return findings.map((finding) => (
    <div className="order-finding" key={`${finding.line ?? 0} ${finding.text}`}>
      {MARKS[finding.level]}
      <span>{finding.text}</span>
      <span className="spring" />
      {finding.line !== undefined && <span className="text3 nowrap">第 {finding.line} 行</span>}
    </div>
  ));
}

/** Beside an order that is written: what it comes to, when it is paid, and what to look at before submitting. */
export function SidePanel({ check }: { check: OrderCheck | undefined }) {
  if (!check) {
    return (
      <aside className="order-side">
        <h2>金额</h2>
        <p className="text3">选择供应商、入库仓并添加商品后计算。</p>
      </aside>
    );
  }
  const money = (amount: string | null) => <Money amount={amount} currency={check.currency} />;
  return (
    <aside className="order-side">
      <h2>金额</h2>
      <dl>
        <div>
          <dt>货款（含税）</dt>
          <dd>{money(check.goods)}</dd>
        </div>
        <div>
          <dt>其中税额</dt>
          <dd>{money(check.tax)}</dd>
        </div>
        <div className="order-total">
          <dt>应付合计</dt>
          <dd>{money(check.total)}</dd>
        </div>
        {check.duty !== null && (
          <div>
            <dt>预计关税</dt>
            <dd>{money(check.duty)}</dd>
          </div>
        )}
        {check.importVat !== null && (
          <div>
            <dt>预计进口VAT</dt>
            <dd>{money(check.importVat)}</dd>
          </div>
        )}
        {check.stages.map((stage) => (
          <div key={stage.title}>
            <dt>{stage.title}</dt>
            <dd>{money(stage.amount)}</dd>
          </div>
        ))}
      </dl>
      <h2>提交前检查</h2>
      <Findings findings={check.findings} />
    </aside>
  );
}

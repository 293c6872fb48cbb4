import { DeleteOutlined } from '@ant-design/icons';
import { Button, Input, InputNumber, Select } from 'antd';
import { useRef } from 'react';
import { Decimal } from '#kit/contract/decimal.ts';
import { useCall, uuid } from '#kit/web/api/index.ts';
import { ClauseText, clauseChoices, MAX_CLAUSES, type OrderClauses, PLACEHOLDERS } from '../../contract/clause.ts';
import type { OrderType } from '../../contract/fields.ts';
import type { OrderHead } from '../../contract/order.ts';

/** Clauses that the form begins with; undefined for a new order, which takes those of its type. */
export const clausesOf = (head: OrderHead | undefined): OrderClauses | undefined =>
  head && { templateId: head.clauses.templateId, lines: head.clauses.lines, penalty: head.clauses.penalty };

const problem = (text: string) => ClauseText.safeParse(text).error?.issues[0]?.message;

/** Why the clauses cannot be saved, or nothing. */
export function wrongClause(clauses: OrderClauses | undefined): string | undefined {
  const lines = clauses?.lines ?? [];
  const at = lines.findIndex((line) => problem(line) !== undefined);
  return at < 0 ? undefined : `合同条款第${at + 1}条：${problem(lines[at] ?? '')}`;
}

/** Names of rows that have none of their own: a row keeps its name while others before it go. */
function useRowNames(count: number) {
  const names = useRef<string[]>([]);
  while (names.current.length < count) names.current.push(uuid());
  names.current.length = count;
  return {
    of: (index: number) => names.current[index],
    drop: (index: number) => names.current.splice(index, 1),
    forget: () => names.current.splice(0),
  };
}

interface Props {
  type: OrderType;
  /** Undefined: those of the template that the type begins with. */
  clauses: OrderClauses | undefined;
  /** They were handed in with the order and stand. */
  disabled: boolean;
  onChange: (clauses: OrderClauses) => void;
}

/** 合同条款 of an order: a template's text, each clause of which may be written anew for this order. */
export function ClauseEditor({ type, clauses, disabled, onChange }: Props) {
  const { data: templates } = useCall(clauseChoices, {}, { staleTime: 60_000 });
  const usual = templates?.find((one) => one.defaultFor.includes(type));
  const shown = clauses ?? { templateId: usual?.id ?? null, lines: usual?.lines, penalty: usual?.penalty ?? null };
  const lines = shown.lines ?? [];
  const names = useRowNames(lines.length);
  const put = (next: Partial<OrderClauses>) =>
    onChange({ templateId: shown.templateId, lines, penalty: shown.penalty ?? null, ...next });
  const choose = (id: string | undefined) => {
    const template = templates?.find((one) => one.id === id);
    names.forget();
    put({ templateId: template?.id ?? null, lines: template?.lines ?? [], penalty: template?.penalty ?? null });
  };
  return (
    <section className="order-clauses" aria-label="合同条款">
      <div className="order-clauses-head">
        <b>合同条款</b>
        <Select
          size="small"
          aria-label="合同条款模板"
          style={{ width: 220 }}
          placeholder="选择模板"
          allowClear
          disabled={disabled}
          value={templates?.some((one) => one.id === shown.templateId) ? shown.templateId : null}
          options={templates?.map(({ id, name }) => ({ value: id, label: name })) ?? []}
          onChange={(id) => choose(id ?? undefined)}
        />
        <InputNumber<string>
          size="small"
          aria-label="违约金比例"
          placeholder="违约金"
          stringMode
          controls={false}
          min="0"
          max="100"
          suffix="%"
          style={{ width: 110 }}
          disabled={disabled}
          value={shown.penalty ? new Decimal(shown.penalty).times(100).toFixed() : null}
          onChange={(percent) =>
            put({ penalty: percent === null ? null : new Decimal(percent).div(100).toDecimalPlaces(4).toFixed() })
          }
        />
        <span className="text3" title={Object.keys(PLACEHOLDERS).join('、')}>
          {disabled ? '自提交起不能修改' : `可用占位符，如 {供应商}、{交期}、{付款条件}、{币种}`}
        </span>
      </div>
      {lines.map((line, index) => {
        const wrong = problem(line);
        const name = `第${index + 1}条`;
        return (
          <div key={names.of(index)} className="order-clause">
            <span className="num text3">{index + 1}</span>
            <div>
              <Input.TextArea
                aria-label={`合同条款${name}`}
                autoSize={{ minRows: 1, maxRows: 6 }}
                disabled={disabled}
                status={wrong ? 'error' : ''}
                value={line}
                onChange={({ target }) => put({ lines: lines.map((one, at) => (at === index ? target.value : one)) })}
              />
              {wrong && <div className="order-line-note danger">{wrong}</div>}
            </div>
            <button
              type="button"
              className="icon-button is-small"
              aria-label={`删除合同条款${name}`}
              disabled={disabled}
              onClick={() => {
                names.drop(index);
                put({ lines: lines.filter((_, at) => at !== index) });
              }}
            >
              <DeleteOutlined />
            </button>
          </div>
        );
      })}
      <Button
        size="small"
        disabled={disabled || lines.length >= MAX_CLAUSES}
        onClick={() => put({ lines: [...lines, ''] })}
      >
        添加条款
      </Button>
      {lines.length === 0 && <span className="text3">　没有条款时，合同按通用条款打印。</span>}
    </section>
  );
}

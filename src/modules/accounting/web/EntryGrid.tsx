import { DeleteOutlined, PlusOutlined } from '@ant-design/icons';
import { Button, Input, Select } from 'antd';
import { type KeyboardEvent, useLayoutEffect, useRef } from 'react';
import { Decimal } from '#kit/contract/decimal.ts';
import { Money } from '#kit/web/cells/index.ts';
import { PRESET_RATES } from '#modules/finance/contract/rates.ts';
import { balancing, creditsOf, debitsOf, differenceOf, type Sides } from '../contract/amounts.ts';
import { found, takesEntries, useSubjectOptions } from './choices.ts';

/** A line as it is typed. */
export interface DraftEntry extends Sides {
  key: string;
  summary: string;
  subjectId: string | undefined;
  /** CNY, or the currency of `original`. */
  currency: string;
  original: string;
}

interface Props {
  lines: readonly DraftEntry[];
  /** Whether entries have their amounts in other currencies, too. */
  foreign: boolean;
  onChange: (lines: DraftEntry[]) => void;
  /** A further line, empty. */
  onAdd: () => void;
}

const CURRENCIES = Object.keys(PRESET_RATES).map((value) => ({ value, label: value }));
const SIDES = [
  { side: 'debit', title: '借方金额' },
  { side: 'credit', title: '贷方金额' },
] as const;

/**
 * Entries of a voucher, made for the keyboard: Enter goes to the next cell and adds a line behind the last one, in an empty
 * summary it takes the one above, and = in an amount fills what balances the voucher.
 */
export function EntryGrid({ lines, foreign, onChange, onAdd }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const wanted = useRef<number>(undefined);
  const options = useSubjectOptions(takesEntries);
  const cells = () => [...(box.current?.querySelectorAll<HTMLElement>('[data-cell] input, input[data-cell]') ?? [])];

  useLayoutEffect(() => {
    if (wanted.current === undefined) return;
    cells()[wanted.current]?.focus();
    wanted.current = undefined;
  });

  const put = (key: string, change: Partial<DraftEntry>) =>
    onChange(lines.map((line) => (line.key === key ? { ...line, ...change } : line)));
  const goOn = (from: Element) => {
    const all = cells();
    const at = all.findIndex((each) => each.isSameNode(from)) + 1;
    if (at < all.length) return all[at]?.focus();
    wanted.current = at;
    onAdd();
  };
  const onSummary = (event: KeyboardEvent<HTMLInputElement>, line: DraftEntry, at: number) => {
    if (event.key !== 'Enter' || event.ctrlKey) return;
    event.preventDefault();
    const above = lines[at - 1]?.summary;
    if (line.summary === '' && above) put(line.key, { summary: above });
    goOn(event.currentTarget);
  };
  const onAmount = (event: KeyboardEvent<HTMLInputElement>, line: DraftEntry, side: keyof Sides) => {
    if (event.key === '=') {
      event.preventDefault();
      const others = lines.filter(({ key }) => key !== line.key);
      put(line.key, balancing(others, side));
    }
    if (event.key !== 'Enter' || event.ctrlKey) return;
    event.preventDefault();
    goOn(event.currentTarget);
  };
  const onOriginal = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key !== 'Enter' || event.ctrlKey) return;
    event.preventDefault();
    goOn(event.currentTarget);
  };
  const difference = differenceOf(lines);
  return (
    <div className={`accounting-grid${foreign ? ' is-foreign' : ''}`} ref={box}>
      <div className="accounting-line is-head">
        <span>行</span>
        <span>摘要 *</span>
        <span>科目 *</span>
        {foreign && <span>币种</span>}
        {foreign && <span className="is-right">原币金额</span>}
        <span className="is-right">借方金额</span>
        <span className="is-right">贷方金额</span>
        <span />
      </div>
      {lines.map((line, at) => (
        <div className="accounting-line" key={line.key}>
          <span className="text2">{at + 1}</span>
          <Input
            data-cell
            aria-label={`第${at + 1}行摘要`}
            value={line.summary}
            maxLength={200}
            onChange={(event) => put(line.key, { summary: event.target.value })}
            onKeyDown={(event) => onSummary(event, line, at)}
          />
          <div data-cell>
            <Select
              aria-label={`第${at + 1}行科目`}
              style={{ width: '100%' }}
              showSearch={{ filterOption: found }}
              placeholder="编码、名称或首字母"
              value={line.subjectId ?? null}
              options={options}
              onSelect={(subjectId: string) => {
                put(line.key, { subjectId });
                const focused = document.activeElement;
                if (focused) goOn(focused);
              }}
            />
          </div>
          {foreign && (
            <div data-cell>
              <Select
                aria-label={`第${at + 1}行币种`}
                style={{ width: '100%' }}
                showSearch
                value={line.currency}
                options={CURRENCIES}
                onChange={(currency: string) =>
                  put(line.key, currency === 'CNY' ? { currency, original: '' } : { currency })
                }
              />
            </div>
          )}
          {foreign && (
            <span className="is-amount" data-cell>
              <Input
                aria-label={`第${at + 1}行原币金额`}
                value={line.original}
                inputMode="decimal"
                disabled={line.currency === 'CNY'}
                onChange={(event) => put(line.key, { original: event.target.value.trim() })}
                onKeyDown={onOriginal}
              />
            </span>
          )}
          {SIDES.map(({ side, title }) => (
            <span className="is-amount" data-cell key={side}>
              <Input
                aria-label={`第${at + 1}行${title}`}
                value={line[side]}
                inputMode="decimal"
                onChange={(event) => put(line.key, { [side]: event.target.value.trim() })}
                onKeyDown={(event) => onAmount(event, line, side)}
              />
            </span>
          ))}
          <button
            type="button"
            className="icon-button is-small"
            aria-label={`删除第${at + 1}行`}
            disabled={lines.length <= 2}
            onClick={() => onChange(lines.filter(({ key }) => key !== line.key))}
          >
            <DeleteOutlined />
          </button>
        </div>
      ))}
      <div className="accounting-line is-total">
        <span />
        <span>合计</span>
        <span role="status">
          {new Decimal(difference).isZero() ? (
            '借贷平衡'
          ) : (
            <span className="is-bad">借贷不平衡，差额 {difference}</span>
          )}
        </span>
        {foreign && <span />}
        {foreign && <span />}
        <span className="is-right">
          <Money amount={debitsOf(lines)} currency="CNY" />
        </span>
        <span className="is-right">
          <Money amount={creditsOf(lines)} currency="CNY" />
        </span>
        <span />
      </div>
      <div>
        <Button icon={<PlusOutlined />} onClick={onAdd}>
          添加一行
        </Button>
      </div>
      <p className="label">回车到下一格；摘要为空时回车沿用上一行；在金额里按 = 填入平衡金额；红字用负数。</p>
    </div>
  );
}

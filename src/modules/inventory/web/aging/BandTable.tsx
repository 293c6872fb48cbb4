import { DeleteOutlined, PlusOutlined } from '@ant-design/icons';
import { Button, Checkbox, InputNumber, Select } from 'antd';
import { type RateBand, type RateKind, RateTier } from '../../contract/aging.ts';

const TIERS = Object.entries(RateTier.meta()?.states ?? {}).map(([value, { title }]) => ({
  value: value as RateBand['tier'],
  label: title,
}));
/** What the ends of a band count. */
const ENDS = { STORAGE: '月份', AGED: '库龄（天）', LOW: '供货天数' };

interface Props {
  kind: RateKind;
  bands: readonly RateBand[];
  /** Left out where the card is only read. */
  onChange?: (bands: RateBand[]) => void;
}

/** The bands of a card of rates, to be read or written in. */
export function BandTable({ kind, bands, onChange }: Props) {
  const put = (at: number, part: Partial<RateBand>) =>
    onChange?.(bands.map((band, index) => (index === at ? { ...band, ...part } : band)));
  const rate = (at: number, key: 'perVolume' | 'perUnit', label: string) =>
    !onChange ? (
      (bands[at]?.[key] ?? '—')
    ) : (
      <InputNumber
        stringMode
        size="small"
        min="0"
        controls={false}
        aria-label={`第${at + 1}档 ${label}`}
        style={{ width: 90 }}
        value={bands[at]?.[key] ?? null}
        onChange={(value) => put(at, { [key]: value || null })}
      />
    );
  const end = (at: number, key: 'from' | 'to', label: string) =>
    !onChange ? (
      (bands[at]?.[key] ?? (key === 'to' ? '以上' : '—'))
    ) : (
      <InputNumber
        size="small"
        min={0}
        precision={0}
        controls={false}
        aria-label={`第${at + 1}档 ${label}`}
        style={{ width: 70 }}
        value={bands[at]?.[key] ?? null}
        placeholder={key === 'to' ? '以上' : ''}
        onChange={(value) => put(at, key === 'to' ? { to: value } : { from: value ?? 0 })}
      />
    );
  return (
    <div className="line-table is-dense aging-bands">
      <table aria-label="费率档位">
        <thead>
          <tr>
            <th>尺寸</th>
            <th>{ENDS[kind]}从</th>
            <th>到</th>
            {kind !== 'LOW' && <th>每体积单位</th>}
            <th>每件</th>
            {kind === 'AGED' && <th>服饰鞋包珠宝免收</th>}
            {onChange && <th aria-label="操作" />}
          </tr>
        </thead>
        <tbody>
          {bands.map((band, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: bands have no name but their place
            <tr key={at}>
              <td>
                {onChange ? (
                  <Select
                    size="small"
                    aria-label={`第${at + 1}档 尺寸`}
                    style={{ width: 170 }}
                    options={TIERS}
                    value={band.tier}
                    onChange={(tier) => put(at, { tier })}
                  />
                ) : (
                  TIERS.find(({ value }) => value === band.tier)?.label
                )}
              </td>
              <td>{end(at, 'from', '从')}</td>
              <td>{end(at, 'to', '到')}</td>
              {kind !== 'LOW' && <td>{rate(at, 'perVolume', '每体积单位')}</td>}
              <td>{rate(at, 'perUnit', '每件')}</td>
              {kind === 'AGED' && (
                <td>
                  {onChange ? (
                    <Checkbox
                      aria-label={`第${at + 1}档 服饰鞋包珠宝免收`}
                      checked={band.exempt}
                      onChange={(event) => put(at, { exempt: event.target.checked })}
                    />
                  ) : band.exempt ? (
                    '免收'
                  ) : (
                    '收取'
                  )}
                </td>
              )}
              {onChange && (
                <td>
                  <button
                    type="button"
                    className="icon-button is-small"
                    aria-label={`删除第${at + 1}档`}
                    onClick={() => onChange(bands.filter((_, index) => index !== at))}
                  >
                    <DeleteOutlined />
                  </button>
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
      {onChange && (
        <Button
          size="small"
          type="dashed"
          icon={<PlusOutlined />}
          onClick={() => {
            const last = bands.at(-1);
            onChange([
              ...bands,
              {
                tier: last?.tier ?? 'ALL',
                from: (last?.to ?? last?.from ?? -1) + 1,
                to: null,
                perVolume: null,
                perUnit: '0',
                exempt: false,
              },
            ]);
          }}
        >
          添加一档
        </Button>
      )}
    </div>
  );
}

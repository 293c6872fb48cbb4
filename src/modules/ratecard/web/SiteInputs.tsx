import { InputNumber } from 'antd';
import { COUNTRIES } from '../contract/calculator.ts';
import type { EstimateInput } from '../contract/estimates.ts';
import type { AtSite } from '../contract/results.ts';

const FIELDS: readonly [key: keyof AtSite, label: string][] = [
  ['price', '售价'],
  ['vat', 'VAT(%)'],
  ['rate', '汇率'],
];

interface Props {
  /** VAT comes from a plan. */
  planned: boolean;
  sites: EstimateInput['sites'];
  onChange: (country: keyof EstimateInput['sites'], more: Partial<AtSite>) => void;
}

/** Price, VAT and rate of each country, a line for each. */
export function SiteInputs({ planned, sites, onChange }: Props) {
  const fields = FIELDS.filter(([key]) => !planned || key !== 'vat');
  return (
    <div className="line-table calc-sites">
      <table aria-label="各站点售价">
        <thead>
          <tr>
            <th>站点</th>
            {fields.map(([key, label]) => (
              <th key={key} className="is-right">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {COUNTRIES.map(({ country, name, currency }) => (
            <tr key={country}>
              <td>{`${name} ${currency}`}</td>
              {fields.map(([key, label]) => (
                <td key={key} className="is-right">
                  <InputNumber<string>
                    size="small"
                    stringMode
                    controls={false}
                    min="0"
                    aria-label={`${name}${label}`}
                    value={sites[country]?.[key] ?? ''}
                    onChange={(value) => onChange(country, { [key]: value ?? '' })}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

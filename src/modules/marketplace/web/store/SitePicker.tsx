import { Select } from 'antd';
import { MARKETPLACES, REGION_NAMES, type Region } from '../../contract/marketplaces.ts';

const REGIONS = Object.entries(REGION_NAMES) as [Region, string][];

/** Sites by region as groups of a picker; only one region where it is given. */
export function siteOptions(region?: string) {
  return REGIONS.filter(([key]) => region === undefined || key === region).map(([key, title]) => ({
    label: title,
    title,
    options: MARKETPLACES.filter((site) => site.region === key).map((site) => ({
      value: site.id,
      label: `${site.name} ${site.country}`,
    })),
  }));
}

interface Props {
  value: string | undefined;
  region?: string | undefined;
  onChange: (id: string) => void;
}

/** One site of a region: the consent given there holds for all sites of the region. */
export function SitePicker({ value, region, onChange }: Props) {
  return (
    <Select
      aria-label="站点"
      placeholder="请选择站点"
      showSearch={{ optionFilterProp: 'label' }}
      options={siteOptions(region)}
      {...(value === undefined ? {} : { value })}
      onChange={onChange}
    />
  );
}

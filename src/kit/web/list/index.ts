export { filterQuery, readState } from './address.ts';
export type { BatchAction } from './BatchBar.tsx';
export { type FilterOption, type FilterValue, filterFields } from './fields.ts';
export { ListChart, ListCharts } from './ListCharts.tsx';
export { ListHead } from './ListHead.tsx';
export { ListScreen, type ListScreenProps } from './ListScreen.tsx';
export { OwnAddress } from './OwnAddress.tsx';
export { Pager } from './Pager.tsx';
export { useFilter } from './use-filter.ts';

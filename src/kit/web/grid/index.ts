export { type ColumnOverride, type ColumnOverrides, type GridColumn, gridColumns } from './columns.ts';
export { DataGrid, type DataGridProps, type GridHandle, ROW_HEIGHTS } from './DataGrid.tsx';
export type { Sort } from './definitions.tsx';
export { type LayoutColumn, mergeColumns } from './layout.ts';
export { type RowAction, RowActions } from './RowActions.tsx';
export { useLate } from './use-late.ts';
export { useWidth } from './use-width.ts';

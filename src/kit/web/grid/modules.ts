import {
  CellApiModule,
  CellStyleModule,
  ClientSideRowModelModule,
  ColumnApiModule,
  GridStateModule,
  LocaleModule,
  type Module,
  ModuleRegistry,
  PinnedRowModule,
  RenderApiModule,
  RowApiModule,
  RowSelectionModule,
  RowStyleModule,
  ScrollApiModule,
  TooltipModule,
  ValidationModule,
} from 'ag-grid-community';

const used: Module[] = [
  ClientSideRowModelModule,
  RowSelectionModule,
  PinnedRowModule,
  ColumnApiModule,
  RowApiModule,
  CellApiModule,
  CellStyleModule,
  RowStyleModule,
  RenderApiModule,
  ScrollApiModule,
  TooltipModule,
  LocaleModule,
  GridStateModule,
];

/** Only the parts of the grid that the product uses; its own checks of our settings only while developing. */
ModuleRegistry.registerModules(import.meta.env.DEV ? [...used, ValidationModule] : used);

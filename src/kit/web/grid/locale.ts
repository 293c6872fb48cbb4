/** Words of the grid that assistive technology reads. */
export const localeText: Record<string, string> = {
  ariaRowToggleSelection: '按空格键切换选择',
  ariaRowSelectAll: '按空格键全选或取消全选',
  ariaHeaderSelection: '带全选框的列',
  ariaSelectionColumn: '选择',
  ariaSortableColumn: '按回车键排序',
  ariaRowSelect: '按空格键选择此行',
  ariaRowDeselect: '按空格键取消选择此行',
  ariaChecked: '已选',
  ariaUnchecked: '未选',
  ariaIndeterminate: '部分已选',
  noRowsToShow: '没有数据',
  loadingOoo: '加载中',
};

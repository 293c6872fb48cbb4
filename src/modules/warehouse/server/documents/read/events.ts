/** Chinese names of what documents do to stock. */
export const EVENTS: Record<string, string> = {
  expect: '预计到货',
  receive: '收货',
  giveUp: '释放',
  reserve: '占用',
  release: '释放',
  short: '缺货释放',
  passOn: '预留改派转出',
  takeOver: '预留改派转入',
  ship: '发货出库',
  close: '差异关闭',
  swap: '换货',
  adjust: '盘点调整',
  start: '领料',
  finish: '完工',
  fee: '费用分摊',
  totals: '更正收货',
};

/** Name of an event of the ledger; a reversal says so. */
export function eventTitle(event: string): string {
  const [name = '', back] = event.split('.');
  return `${EVENTS[name] ?? name}${back ? '撤销' : ''}`;
}

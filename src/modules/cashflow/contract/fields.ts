export const VIEW = 'fin:cashflow:view';
export const EDIT = 'fin:cashflow:edit';
export const EXPORT = 'fin:cashflow:export';

export const root = '/erp/api/v1/finance/cashForecast';

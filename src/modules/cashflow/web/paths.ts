/** The list of what the forecast is made of. */
export const ITEMS = { path: '/finance/cashForecast/items', title: '预计收付' };

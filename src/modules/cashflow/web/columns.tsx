import type { ColumnOverrides } from '#kit/web/grid/columns.ts';
import { TabLink } from '#kit/web/tabs/TabLink.tsx';
import type { CashItem } from '../contract/forecast.ts';

/** What an item is leads to its document. */
export const CASH_COLUMNS: ColumnOverrides<CashItem> = {
  title: {
    render: ({ title, to }) => (
      <TabLink to={to.path} title={to.title} query={to.query}>
        {title}
      </TabLink>
    ),
    text: ({ title }) => title,
  },
};

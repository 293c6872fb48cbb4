import type { Column } from '#kit/contract/columns.ts';
import { valueNode } from '#kit/web/cells/Value.tsx';
import { TabLink } from '#kit/web/tabs/TabLink.tsx';
import type { ProductTabData } from '../../contract/material.ts';

const RIGHT: readonly string[] = ['integer', 'money', 'rate', 'percent'];

function Linked({ path, children }: { path: unknown; children: string }) {
  if (typeof path !== 'string') return children;
  const [to = '', query = ''] = path.split('?');
  return (
    <TabLink to={to} title={children} query={Object.fromEntries(new URLSearchParams(query))}>
      {children}
    </TabLink>
  );
}

/** What another module knows of the product: its newest rows, the first column opens the document. */
export function RelatedTab({ tab }: { tab: ProductTabData }) {
  const columns = tab.columns as unknown as readonly Column[];
  const align = (column: Column) => (RIGHT.includes(column.kind) ? 'is-right' : undefined);
  return (
    <div className="line-table is-dense">
      <table aria-label={tab.title}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.key} className={align(column)} title={column.tip}>
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {tab.rows.map((row, index) => (
            <tr key={String(row.id ?? index)}>
              {columns.map((column, place) => (
                <td key={column.key} className={align(column)}>
                  {place === 0 ? (
                    <Linked path={row.path}>{String(row[column.key] ?? '')}</Linked>
                  ) : (
                    valueNode(column, row, { density: 'dense' })
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {tab.rows.length === 0 && <div className="line-table-none">没有{tab.title}</div>}
    </div>
  );
}

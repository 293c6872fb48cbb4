import { CaretDownOutlined, CaretRightOutlined } from '@ant-design/icons';
import { useState } from 'react';
import { formatInteger } from '#kit/contract/format.ts';
import { Money, Percent } from '#kit/web/cells/index.ts';
import type { FeeNode } from '../contract/settlements.ts';
import type { OpenFigure } from './LinesDrawer.tsx';

interface Props {
  nodes: readonly FeeNode[];
  currency: string;
  onOpen: (figure: OpenFigure) => void;
}

function Amount({ figure, currency, onOpen }: { figure: OpenFigure; currency: string; onOpen: Props['onOpen'] }) {
  return (
    <button type="button" className="drill" onClick={() => onOpen(figure)}>
      <Money amount={figure.amount} currency={currency} />
    </button>
  );
}

function Node({ node, currency, onOpen }: { node: FeeNode } & Omit<Props, 'nodes'>) {
  const [open, setOpen] = useState(true);
  const whole = { title: node.title, amount: node.amount, filter: { sections: [node.section] } };
  const lines = node.items.reduce((count, item) => count + item.lines, 0);
  return (
    <>
      <tr>
        <td className="strong">
          <button type="button" className="fee-fold" aria-expanded={open} onClick={() => setOpen(!open)}>
            {open ? <CaretDownOutlined /> : <CaretRightOutlined />} {node.title}
          </button>
        </td>
        <td />
        <td className="is-right strong">
          <Amount figure={whole} currency={currency} onOpen={onOpen} />
        </td>
        <td className="is-right">
          <Percent value={node.share} />
        </td>
        <td className="is-right num">{formatInteger(lines)}</td>
      </tr>
      {open &&
        node.items.map((item) => (
          <tr key={`${item.feeCode} ${item.amountDescription}`}>
            <td className="fee-item">{item.title}</td>
            <td className="text3" title={item.amountDescription}>
              {item.amountDescription}
            </td>
            <td className="is-right">
              <Amount
                figure={{
                  title: `${item.title} · ${item.amountDescription}`,
                  amount: item.amount,
                  filter: {
                    sections: [node.section],
                    feeCode: item.feeCode,
                    amountDescription: item.amountDescription,
                  },
                }}
                currency={currency}
                onOpen={onOpen}
              />
            </td>
            <td className="is-right">
              <Percent value={item.share} />
            </td>
            <td className="is-right num">{formatInteger(item.lines)}</td>
          </tr>
        ))}
    </>
  );
}

/** Sections with their amounts below, each with its part of the sales; every amount opens to its lines. */
export function FeeTree({ nodes, currency, onOpen }: Props) {
  return (
    <div className="line-table is-dense">
      <table aria-label="费用构成">
        <thead>
          <tr>
            <th>费用</th>
            <th>金额说明</th>
            <th className="is-right">金额</th>
            <th className="is-right">占销售额</th>
            <th className="is-right">行数</th>
          </tr>
        </thead>
        <tbody>
          {nodes.map((node) => (
            <Node key={node.section} node={node} currency={currency} onOpen={onOpen} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

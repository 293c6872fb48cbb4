import 'react-grid-layout/css/styles.css';
import { Modal } from 'antd';
import { type ReactNode, useMemo, useRef, useState } from 'react';
import GridLayout, { type Layout } from 'react-grid-layout';
import { useWidth } from '../grid/use-width.ts';
import { COLUMNS, type Direction, type Least, moved, type Place, resized, settled } from './arrange.ts';
import { CardMenu, EditTools, FullTools } from './CardTools.tsx';
import { type CardAction, type CardFrame, CardFrameContext } from './frame.ts';
import { Near } from './Near.tsx';

/** A row and the gap below it are 38 px: eight rows are a card of 292. */
const ROW = 26;
const GAP = 12;
const GRID = { cols: COLUMNS, rowHeight: ROW, margin: [GAP, GAP], containerPadding: [0, 0] } as const;

export interface GridCard extends Least {
  id: string;
  title: string;
  mark?: ReactNode;
  actions?: readonly CardAction[];
  render: () => ReactNode;
}

interface Props {
  cards: readonly GridCard[];
  /** One place for each card. */
  places: readonly Place[];
  editing: boolean;
  onPlaces: (places: readonly Place[]) => void;
  onRemove: (id: string) => void;
}

const asLayout = (places: readonly Place[], cards: readonly GridCard[]): Layout =>
  places.map(({ id, ...place }) => {
    const card = cards.find((one) => one.id === id);
    return { i: id, ...place, minW: card?.minW ?? 1, minH: card?.minH ?? 1 };
  });

const toldOf = ({ x, y, w, h }: Place) => `第 ${x + 1} 列、第 ${y + 1} 行，宽 ${w} 列、高 ${h} 行`;

/**
 * Cards on a grid of 12 columns. While `editing` they are moved by their heads and sized at their corner, or both with the
 * arrow keys; otherwise each has a menu. A card makes itself when it comes near what is seen.
 */
export function CardGrid({ cards, places, editing, onPlaces, onRemove }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const [full, setFull] = useState<string | null>(null);
  const [choices, setChoices] = useState<Readonly<Record<string, Readonly<Record<string, string>>>>>({});
  const [told, setTold] = useState('');
  const shown = useMemo(() => settled(places), [places]);
  const layout = useMemo(() => asLayout(shown, cards), [shown, cards]);

  const step = (card: GridCard, to: Direction, sizes: boolean) => {
    const next = sizes ? resized(shown, card.id, to, card) : moved(shown, card.id, to);
    const place = next.find(({ id }) => id === card.id);
    setTold(place && next !== shown ? `${card.title}：${toldOf(place)}` : `${card.title}：已到边界`);
    if (next !== shown) onPlaces(next);
  };
  const takeOver = (next: Layout) => onPlaces(settled(next.map(({ i, x, y, w, h }) => ({ id: i, x, y, w, h }))));

  const frameOf = (card: GridCard, tools: ReactNode, alone = false): CardFrame => ({
    editing: editing && !alone,
    mark: card.mark,
    tools,
    choices: choices[card.id] ?? {},
    choose: (name, value) => setChoices((all) => ({ ...all, [card.id]: { ...all[card.id], [name]: value } })),
  });
  const toolsOf = (card: GridCard) =>
    editing ? (
      <EditTools title={card.title} onStep={(to, sizes) => step(card, to, sizes)} onRemove={() => onRemove(card.id)} />
    ) : (
      <CardMenu title={card.title} actions={card.actions ?? []} onFull={() => setFull(card.id)} />
    );
  const alone = cards.find(({ id }) => id === full);

  return (
    <div ref={box} className={`card-grid${editing ? ' is-editing' : ''}`}>
      <span className="visually-hidden" role="status">
        {told}
      </span>
      {width > 0 && (
        <GridLayout
          width={width}
          layout={layout}
          gridConfig={GRID}
          dragConfig={{ enabled: editing, handle: '.card-head, .figure-strip', cancel: '.card-remove' }}
          resizeConfig={{ enabled: editing, handles: ['se'] }}
          onDragStop={takeOver}
          onResizeStop={takeOver}
        >
          {cards.map((card) => (
            <div key={card.id} data-card={card.id}>
              <Near atOnce={editing}>
                <CardFrameContext value={frameOf(card, toolsOf(card))}>{card.render()}</CardFrameContext>
              </Near>
            </div>
          ))}
        </GridLayout>
      )}
      {alone && (
        <Modal
          open
          width="100vw"
          footer={null}
          closable={false}
          title={<span className="visually-hidden">{alone.title}</span>}
          wrapClassName="card-full"
          onCancel={() => setFull(null)}
        >
          <CardFrameContext
            value={frameOf(alone, <FullTools title={alone.title} onClose={() => setFull(null)} />, true)}
          >
            {alone.render()}
          </CardFrameContext>
        </Modal>
      )}
    </div>
  );
}

import { useState } from 'react';
import type { Reply } from '#kit/contract/endpoint.ts';
import { CardGrid, type GridCard } from '#kit/web/cards/grid.ts';
import { CARDS, type CardKey } from '../contract/card-list.ts';
import type { HomeFilter, setup } from '../contract.ts';
import { CardFilterDialog } from './CardFilterDialog.tsx';
import { VIEWS } from './cards/views.tsx';
import { filterOf, markOf } from './own-filter.ts';
import type { HomeLayout } from './use-layout.ts';

interface Props {
  layout: HomeLayout;
  filter: HomeFilter;
  state: Reply<typeof setup> | undefined;
}

/** The cards of the page in their places, each with the page's filter or its own. */
export function HomeCards({ layout, filter, state }: Props) {
  const [narrowing, setNarrowing] = useState<CardKey | null>(null);
  const cards = layout.cards.map(({ key, filter: own }): GridCard => {
    const { title, minW, minH, follows } = CARDS[key];
    const mark = markOf(own);
    return {
      id: key,
      title,
      minW,
      minH,
      mark: mark && (
        <span className="card-mark" title={`本卡片单独筛选：${mark}`}>
          {mark}
        </span>
      ),
      actions: follows === 'nothing' ? [] : [{ key: 'filter', label: '卡片筛选', onClick: () => setNarrowing(key) }],
      render: () => VIEWS[key]({ filter: filterOf(filter, own), sites: state?.sites ?? [] }),
    };
  });
  return (
    <>
      <CardGrid
        cards={cards}
        places={layout.places}
        editing={layout.editing}
        onPlaces={layout.place}
        onRemove={layout.remove}
      />
      {narrowing && (
        <CardFilterDialog
          card={narrowing}
          filter={layout.cards.find(({ key }) => key === narrowing)?.filter ?? {}}
          choices={state}
          onSave={(own) => layout.narrow(narrowing, own)}
          onClose={() => setNarrowing(null)}
        />
      )}
    </>
  );
}

import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { cacheKey, useCall, useSend } from '#kit/web/api/index.ts';
import { added, type Place } from '#kit/web/cards/grid.ts';
import { useDirty } from '#kit/web/tabs/scope.ts';
import { CARDS, type CardKey } from '../contract/card-list.ts';
import {
  type CardFilter,
  getLayout,
  type LayoutState,
  type PlacedCard,
  resetLayout,
  saveLayout,
} from '../contract/layout.ts';

const asPlace = ({ key, x, y, w, h }: PlacedCard): Place => ({ id: key, x, y, w, h });

/** Cards where a grid has put them, each with the filter that it had. */
function placed(cards: readonly PlacedCard[], places: readonly Place[]): PlacedCard[] {
  return places.flatMap(({ id, ...at }) => {
    const card = cards.find(({ key }) => key === id);
    return card ? [{ ...card, ...at }] : [];
  });
}

/** The arrangement of the page: as it is kept, or while it is edited as the window has it. */
export function useLayout() {
  const client = useQueryClient();
  const query = useCall(getLayout, {});
  const [draft, setDraft] = useState<readonly PlacedCard[] | null>(null);
  useDirty(draft !== null);
  const kept = (state: LayoutState) => {
    client.setQueryData(cacheKey(getLayout, {}), state);
    setDraft(null);
  };
  const save = useSend(saveLayout, { onSuccess: kept });
  const reset = useSend(resetLayout, { onSuccess: kept });
  const version = query.data?.version ?? 0;
  const cards = draft ?? query.data?.cards ?? [];
  const send = (next: readonly PlacedCard[]) => save.mutate({ body: { version, cards: [...next] } });
  return {
    query,
    cards,
    editing: draft !== null,
    busy: save.isPending || reset.isPending,
    /** Cards that could be on the page and are not. */
    absent: (query.data?.offered ?? []).filter((key) => !cards.some((card) => card.key === key)),
    edit: () => setDraft(cards),
    /** Forgets what was changed, and reads what is kept: another window may have saved. */
    cancel: () => {
      setDraft(null);
      void query.refetch();
    },
    save: () => send(cards),
    reset: () => reset.mutate({}),
    place: (places: readonly Place[]) => setDraft(placed(cards, places)),
    remove: (key: string) => setDraft(cards.filter((card) => card.key !== key)),
    add: (key: CardKey) => {
      const places = added(cards.map(asPlace), { id: key, w: CARDS[key].w, h: CARDS[key].h });
      setDraft(placed([...cards, { key, x: 0, y: 0, w: CARDS[key].w, h: CARDS[key].h }], places));
    },
    /** A card's own filter is kept at once; while the page is edited, with the rest. */
    narrow: (key: CardKey, filter: CardFilter) => {
      const next = cards.map((card) => {
        if (card.key !== key) return card;
        const { filter: _, ...bare } = card;
        return Object.keys(filter).length > 0 ? { ...bare, filter } : bare;
      });
      if (draft) setDraft(next);
      else send(next);
    },
    places: cards.map(asPlace),
  };
}
export type HomeLayout = ReturnType<typeof useLayout>;

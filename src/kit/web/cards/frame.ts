import { createContext, type ReactNode, useContext, useState } from 'react';

export interface CardAction {
  key: string;
  label: string;
  onClick: () => void;
}

/** What a grid gives the card that stands in it. A card elsewhere has none and looks as it always did. */
export interface CardFrame {
  /** Its contents rest: it is moved and sized. */
  editing: boolean;
  /** Behind the title, e.g. that the card has a filter of its own. */
  mark: ReactNode;
  /** At the right end of the head: menu, or handle and remove button. */
  tools: ReactNode;
  /** What was chosen in the card, e.g. the order of a ranking: the same in the grid and alone. */
  choices: Readonly<Record<string, string>>;
  choose: (name: string, value: string) => void;
}

export const CardFrameContext = createContext<CardFrame | null>(null);

export function useCardFrame(): CardFrame | null {
  return useContext(CardFrameContext);
}

/** A choice within a card, which the grid remembers while it stands. */
export function useCardChoice<T extends string>(name: string, first: T): [T, (value: T) => void] {
  const frame = useCardFrame();
  const [own, setOwn] = useState<string>(first);
  const value = (frame ? (frame.choices[name] ?? first) : own) as T;
  return [value, (next) => (frame ? frame.choose(name, next) : setOwn(next))];
}

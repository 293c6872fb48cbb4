/** The face of the grid of cards; apart from the cards, so that pages without one do not load it. */
export { AddCards } from './AddCards.tsx';
export { added, type Place, settled } from './arrange.ts';
export { CardGrid, type GridCard } from './CardGrid.tsx';

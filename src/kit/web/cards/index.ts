export { Card, CardsPage } from './Card.tsx';
export { type Figure, FigureLine, FigureStrip, StripTools } from './Figures.tsx';
export { useCardChoice } from './frame.ts';

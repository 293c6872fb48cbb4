export { Card, CardsPage } from './Card.tsx';
export { type Figure, FigureLine, FigureStrip } from './Figures.tsx';

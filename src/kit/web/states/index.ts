export { Banner } from './Banner.tsx';
export { Empty, type EmptyStep } from './Empty.tsx';
export { ErrorState } from './ErrorState.tsx';
export { NoMatch } from './NoMatch.tsx';
export { NoPermission } from './NoPermission.tsx';

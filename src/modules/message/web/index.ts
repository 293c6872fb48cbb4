export { MessageBell } from './MessageBell.tsx';
export { NoticeCard } from './NoticeCard.tsx';

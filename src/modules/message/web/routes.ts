import type { ScreenRoute } from '#kit/web/tabs/scope.ts';

// Everybody has messages: the drawer leads here, also where no role brings the entry of the menu.
export const routes: ScreenRoute[] = [
  { path: '/sys/message', component: 'message/MessageCentre', title: '消息中心', keepAlive: true },
];

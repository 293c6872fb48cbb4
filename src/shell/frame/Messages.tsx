import { MessageBell } from '#modules/message/web/index.ts';
import { useFrame } from './frame-context.ts';

/** The bell; what a message is about opens as a tab. */
export function Messages() {
  const { tabs } = useFrame();
  return <MessageBell open={tabs.open} />;
}

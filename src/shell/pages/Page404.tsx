import { BackHome } from './BackHome.tsx';
import { MessageScreen } from './MessageScreen.tsx';

/** 404: the address leads nowhere. */
export function Page404() {
  return (
    <MessageScreen mark="404" title="页面不存在" text="地址可能输错了，或者这个页面已经移走。">
      <BackHome />
    </MessageScreen>
  );
}

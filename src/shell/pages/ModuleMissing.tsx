import { BackHome } from './BackHome.tsx';
import { MessageScreen } from './MessageScreen.tsx';

/** The menu names a screen that this release does not have. */
export function ModuleMissing({ component }: { component: string }) {
  return (
    <MessageScreen
      mark="未找到"
      title="页面模块不存在"
      text={`当前版本没有页面「${component}」，请联系管理员检查菜单配置。`}
    >
      <BackHome />
    </MessageScreen>
  );
}

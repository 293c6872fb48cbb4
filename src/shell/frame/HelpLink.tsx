import { QuestionCircleOutlined } from '@ant-design/icons';
import { Tooltip } from 'antd';
import { routeFor } from '../menu.ts';
import { pathOf } from '../tabs.ts';
import { useFrame } from './frame-context.ts';

/** 帮助文档: opens at the page about the screen in front. */
export function HelpLink() {
  const { tabs, routes } = useFrame();
  const front = tabs.state.list.find((tab) => tab.title === tabs.state.active);
  const component = front ? routeFor(routes, pathOf(front.address))?.component : undefined;
  const href = component ? `/doc/help?${new URLSearchParams({ key: component })}` : '/doc/help';
  return (
    <Tooltip title="帮助文档">
      <a className="icon-button" href={href} target="_blank" rel="noopener" aria-label="帮助文档">
        <QuestionCircleOutlined />
      </a>
    </Tooltip>
  );
}

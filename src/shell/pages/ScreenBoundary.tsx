import { Button } from 'antd';
import { Component, type ErrorInfo, type ReactNode } from 'react';
import { ChunkFailed, forgetScreen } from '../screens.ts';
import { ErrorDetails } from './ErrorDetails.tsx';
import { MessageScreen } from './MessageScreen.tsx';

interface Props {
  component: string;
  children: ReactNode;
}

interface State {
  failed: Error | null;
  componentStack?: string | undefined;
}

/** What breaks in one tab stays in that tab. */
export class ScreenBoundary extends Component<Props, State> {
  override state: State = { failed: null };

  static getDerivedStateFromError(thrown: unknown): State {
    return { failed: thrown instanceof Error ? thrown : new Error(String(thrown)) };
  }

  override componentDidCatch(error: Error, info: ErrorInfo): void {
    console.error(error, info.componentStack);
    this.setState({ componentStack: info.componentStack ?? undefined });
  }

  retry = (): void => {
    forgetScreen(this.props.component);
    this.setState({ failed: null, componentStack: undefined });
  };

  override render(): ReactNode {
    const { failed, componentStack } = this.state;
    if (!failed) return this.props.children;
    const chunk = failed instanceof ChunkFailed;
    return (
      <div className="error-screen">
        <MessageScreen
          mark="出错了"
          title={chunk ? '页面模块加载失败，请刷新重试' : '页面出现错误'}
          text={chunk ? '网络可能中断，或系统刚刚更新过版本。' : '其他页签不受影响，已填写的内容可能需要重新输入。'}
        >
          <Button onClick={this.retry}>重试</Button>
          <Button type="primary" onClick={() => window.location.reload()}>
            刷新页面
          </Button>
        </MessageScreen>
        {!chunk && <ErrorDetails error={failed} componentStack={componentStack} />}
      </div>
    );
  }
}

import { Button } from 'antd';
import { useNavigate } from 'react-router';
import { MessageScreen } from './MessageScreen.tsx';

/** 404: the address leads nowhere. */
export function Page404() {
  const navigate = useNavigate();
  return (
    <MessageScreen mark="404" title="页面不存在" text="地址可能输错了，或者这个页面已经移走。">
      <Button type="primary" onClick={() => navigate('/home')}>
        返回首页
      </Button>
    </MessageScreen>
  );
}

import { Button } from 'antd';
import { useNavigate } from 'react-router';

/** The way out of a page that is not there. */
export function BackHome() {
  const navigate = useNavigate();
  return (
    <Button type="primary" onClick={() => void navigate('/home')}>
      返回首页
    </Button>
  );
}

import { DoorPage } from '../login/DoorPage.tsx';
import { RegisterForm } from '../registration/RegisterForm.tsx';

/** /register */
export default function Register() {
  return (
    <DoorPage title="注册" subtitle="创建公司账号，您将成为公司的管理员" wide>
      <RegisterForm />
    </DoorPage>
  );
}

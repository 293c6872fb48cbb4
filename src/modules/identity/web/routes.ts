import type { ScreenRoute } from '#kit/web/tabs/scope.ts';
import { FIRST_PASSWORD } from '../contract/account.ts';
import { AUTHORIZE_PAGE } from '../contract/oauth.ts';

export const routes: ScreenRoute[] = [
  { path: '/login', component: 'identity/Login', title: '登录', public: true },
  { path: '/register', component: 'identity/Register', title: '注册', public: true },
  { path: '/resetPassword', component: 'identity/ResetPassword', title: '重置密码', public: true },
  { path: FIRST_PASSWORD, component: 'identity/FirstPassword', title: '修改初始密码', public: true },
  { path: '/ssologin', component: 'identity/SsoLogin', title: '登录检查', public: true },
  { path: AUTHORIZE_PAGE, component: 'identity/Authorize', title: '登录应用', public: true },
  { path: '/wechatresult', component: 'identity/WechatResult', title: '微信登录', public: true },
  { path: '/usercenter', component: 'identity/UserCenter', title: '个人中心' },
];

import {
  AccountBookOutlined,
  AppstoreOutlined,
  CustomerServiceOutlined,
  HomeOutlined,
  InboxOutlined,
  LineChartOutlined,
  NotificationOutlined,
  SafetyCertificateOutlined,
  SettingOutlined,
  ShoppingCartOutlined,
  TruckOutlined,
} from '@ant-design/icons';
import type { ComponentType } from 'react';

const byName: Record<string, ComponentType> = {
  home: HomeOutlined,
  product: AppstoreOutlined,
  sales: LineChartOutlined,
  purchase: ShoppingCartOutlined,
  warehouse: InboxOutlined,
  logistics: TruckOutlined,
  advertising: NotificationOutlined,
  finance: AccountBookOutlined,
  service: CustomerServiceOutlined,
  authorization: SafetyCertificateOutlined,
  authorisation: SafetyCertificateOutlined,
  system: SettingOutlined,
};

const byTitle: Record<string, string> = {
  首页: 'home',
  产品: 'product',
  销售: 'sales',
  采购: 'purchase',
  仓库: 'warehouse',
  物流: 'logistics',
  广告: 'advertising',
  财务: 'finance',
  客服: 'service',
  授权: 'authorization',
  系统: 'system',
};

/** Icon of a section by the name that the menu gives, else by its title. */
export function MenuIcon({ name, title }: { name: string; title: string }) {
  const Icon = byName[name] ?? byName[byTitle[title] ?? ''] ?? AppstoreOutlined;
  return <Icon />;
}

import { extend } from '#kit/server/extension.ts';
import { defineModule } from '#kit/server/module.ts';
import { scopeDimensions } from '#kit/server/scope.ts';
import { messageEvents, usageKinds } from '#modules/identity/server/index.ts';
import { documentRoute } from '#modules/message/server/index.ts';
import { platformUsers } from '#modules/system/server/index.ts';
import { AddressRow } from './contract/addresses.ts';
import { CallRow } from './contract/api-log.ts';
import { FeedRow } from './contract/feeds.ts';
import { NoticeRow } from './contract/notifications.ts';
import { AsideRow } from './contract/quarantine.ts';
import { ReportTaskRow } from './contract/report-tasks.ts';
import { AccountRow } from './contract/stores.ts';
import { reportUpload, UploadRow } from './contract/uploads.ts';
import { UsageRow } from './contract/usage.ts';
import { WriteRow } from './contract/writes.ts';
import { purgeCalls } from './server/api/log.ts';
import { rotateJob } from './server/application/rotate.ts';
import { onCompanyErased } from './server/auth/erased.ts';
import { agingJob } from './server/auth/lifecycle.ts';
import { storeDimension } from './server/dimension.ts';
import { expiryExtensions } from './server/expiry-reminders.ts';
import { feedJob } from './server/feeds/run.ts';
import { marketplaceMoves } from './server/moves.ts';
import { purgeNotifications, receiveJob } from './server/notifications/receive.ts';
import { performanceLoader, performancePlan } from './server/performance/load.ts';
import { amazonPlatform } from './server/platform.ts';
import { replayTask } from './server/quarantine/replay.ts';
import { routes } from './server/routes.ts';
import { reportLoaders, reportPlans } from './server/streams.ts';
import { completeJob } from './server/sync/complete.ts';
import { backfillJob, reportJob, syncJob } from './server/sync/jobs.ts';
import { scheduleJob } from './server/sync/schedule.ts';
import { openAccount } from './server/sync/start.ts';
import { commitTask } from './server/upload/commit.ts';
import { purgeUndo } from './server/upload/undo.ts';
import { usage } from './server/usage.ts';
import { writeJob } from './server/writes/run.ts';

export default defineModule({
  name: 'marketplace',
  title: '平台连接',
  needs: ['identity', 'system', 'message'],
  permissions: {
    'amz:store:view': '查看店铺授权',
    'amz:store:edit': '新增与修改店铺',
    'amz:store:authorize': '店铺授权',
    'amz:store:delete': '停用与删除店铺授权',
    'amz:store:sync': '同步店铺数据',
    'adv:store:view': '查看广告授权',
    'adv:store:authorize': '广告授权',
    'adv:store:delete': '停用广告授权',
    'adv:store:sync': '同步广告配置',
    'amz:sync:view': '查看同步监控',
    'amz:sync:config': '暂停、恢复与回补数据流',
    'amz:feed:view': '查看数据提交',
    'amz:feed:run': '撤销与重试数据提交',
    'amz:write:view': '查看接口提交',
    'amz:write:run': '撤销与重试接口提交',
    'amz:apilog:view': '查看接口日志',
    'amz:notice:view': '查看通知订阅',
    'amz:notice:config': '订阅与取消通知',
    'amz:notice:run': '接收与重新处理通知',
    'amz:address:view': '查看发货地址',
    'amz:address:edit': '新增与修改发货地址',
    'amz:address:delete': '删除与恢复发货地址',
    'amz:address:import': '导入发货地址',
    'amz:address:export': '导出发货地址',
    'amz:performance:view': '查看店铺绩效',
    'amz:performance:config': '设置绩效预警',
    'amz:performance:export': '导出店铺绩效',
    'amz:report:view': '查看报表上传',
    'amz:report:import': '上传报表',
    'amz:report:run': '申请报表',
    'amz:report:adjust': '忽略报表申请间隔',
    'amz:report:export': '下载原始报表',
    'amz:report:sync': '重新解析报表',
    'amz:quarantine:edit': '处理隔离行',
  },
  menu: {
    authorisation: [
      {
        title: '店铺',
        sort: 10,
        children: [
          {
            title: '店铺管理',
            path: '/amazon/storeAuth',
            component: 'marketplace/StoreAuth',
            permission: 'amz:store:view',
            sort: 10,
          },
          {
            title: '同步监控',
            path: '/amazon/syncStatus',
            component: 'marketplace/SyncStatus',
            permission: 'amz:sync:view',
            sort: 12,
          },
          {
            title: '报表任务',
            path: '/amazon/reportTasks',
            component: 'marketplace/ReportTasks',
            permission: 'amz:store:view',
            sort: 14,
          },
          {
            title: '数据提交',
            path: '/amazon/feeds',
            component: 'marketplace/Feeds',
            permission: 'amz:feed:view',
            sort: 15,
          },
          {
            title: '接口提交',
            path: '/amazon/writes',
            component: 'marketplace/Writes',
            permission: 'amz:write:view',
            sort: 16,
          },
          {
            title: '隔离区',
            path: '/amazon/syncQuarantine',
            component: 'marketplace/Quarantine',
            permission: 'amz:sync:view',
            sort: 17,
          },
          {
            title: '通知订阅',
            path: '/amazon/notifications',
            component: 'marketplace/Notifications',
            permission: 'amz:notice:view',
            sort: 18,
          },
          {
            title: '上传报表',
            path: '/amazon/reportUpload',
            component: 'marketplace/ReportUpload',
            permission: 'amz:report:view',
            sort: 20,
          },
          {
            title: '店铺绩效',
            path: '/report/seller',
            component: 'marketplace/Performance',
            permission: 'amz:performance:view',
            sort: 30,
          },
          {
            title: '发货地址',
            path: '/amazon/address',
            component: 'marketplace/Addresses',
            permission: 'amz:address:view',
            sort: 40,
          },
          {
            title: '接口日志',
            path: '/amazon/apiLog',
            component: 'marketplace/ApiLog',
            permission: 'amz:apilog:view',
            sort: 50,
          },
          {
            title: '接口用量',
            path: '/amazon/apiUsage',
            component: 'marketplace/ApiUsage',
            permission: 'amz:apilog:view',
            sort: 55,
          },
        ],
      },
    ],
  },
  objects: {
    'marketplace.adsConnection': '广告授权',
    'marketplace.address': '发货地址',
    'marketplace.apiCall': '接口日志',
    'marketplace.feed': '数据提交',
    'marketplace.healthAlert': '绩效预警设置',
    'marketplace.quarantine': '隔离区',
    'marketplace.report': '报表任务',
    'marketplace.sellerAccount': '店铺授权',
    'marketplace.notification': '通知',
    'marketplace.store': '店铺',
    'marketplace.subscription': '通知订阅',
    'marketplace.write': '接口提交',
  },
  routes,
  lists: {
    'marketplace/accounts': AccountRow,
    'marketplace/addresses': AddressRow,
    'marketplace/apiLog': CallRow,
    'marketplace/apiUsage': UsageRow,
    'marketplace/feeds': FeedRow,
    'marketplace/notices': NoticeRow,
    'marketplace/quarantine': AsideRow,
    'marketplace/reportTasks': ReportTaskRow,
    'marketplace/uploads': UploadRow,
    'marketplace/writes': WriteRow,
  },
  documents: [reportUpload],
  extensions: [
    ...marketplaceMoves,
    ...expiryExtensions,
    extend(scopeDimensions, storeDimension),
    extend(platformUsers, amazonPlatform),
    extend(reportLoaders, performanceLoader),
    extend(reportPlans, performancePlan),
    ...usage.map((kind) => extend(usageKinds, kind)),
    documentRoute({ documentType: 'performance', title: '店铺绩效', path: () => '/report/seller' }),
    documentRoute({ documentType: 'write', title: '接口提交', path: () => '/amazon/writes' }),
    documentRoute({ documentType: 'store', title: '店铺管理', path: () => '/amazon/storeAuth' }),
    documentRoute({ documentType: reportUpload.name, title: '上传报表', path: () => reportUpload.detail }),
    ...[
      { event: 'marketplace.authorisationLost', title: '店铺授权失效' },
      { event: 'marketplace.adsLost', title: '广告授权失效' },
      { event: 'marketplace.applicationRefused', title: '应用密钥无效' },
      { event: 'marketplace.secretExpiring', title: '应用密钥即将到期' },
      { event: 'marketplace.performance', title: '店铺绩效预警' },
      { event: 'marketplace.planFull', title: '站点数量已达上限' },
      { event: 'marketplace.roleMissing', title: '店铺缺少权限角色' },
      { event: 'marketplace.uploadFailed', title: '报表入库失败' },
      { event: 'marketplace.writeFailed', title: '接口提交未成功' },
    ].map((each) => extend(messageEvents, { ...each, group: '授权', channels: ['site'] })),
  ],
  tasks: [commitTask, replayTask],
  jobs: [
    purgeUndo,
    agingJob,
    backfillJob,
    completeJob,
    purgeCalls,
    purgeNotifications,
    rotateJob,
    receiveJob,
    openAccount,
    feedJob,
    writeJob,
    syncJob,
    reportJob,
    scheduleJob,
  ],
  on: [onCompanyErased],
  crons: [
    { pattern: '* * * * *', job: 'marketplace.schedule' },
    { pattern: '* * * * *', job: 'marketplace.receiveNotifications' },
    { pattern: '47 3 * * *', job: 'marketplace.purgeNotifications' },
    { pattern: '23 4 * * *', job: 'marketplace.rotateSecret' },
    { pattern: '27 3 * * *', job: 'marketplace.purgeApiCalls' },
    { pattern: '37 3 * * *', job: 'marketplace.purgeUndo' },
    { pattern: '7 * * * *', job: 'marketplace.ageConsents' },
    { pattern: '13 * * * *', job: 'marketplace.completeAccounts' },
  ],
});

import { Modal } from 'antd';

const GROUPS: { title: string; keys: [string[], string][] }[] = [
  {
    title: '全局',
    keys: [
      [['Ctrl K'], '搜索页面、SKU、订单、单据'],
      [['?'], '查看全部快捷键'],
      [['Alt 1', '9'], '切换到第 1–9 个页签'],
      [['Alt W'], '关闭当前页签'],
      [['Alt R'], '刷新当前页签'],
      [['Esc'], '依次关闭弹层、取消选择、关闭页签'],
    ],
  },
  {
    title: '列表',
    keys: [
      [['/'], '定位到搜索框'],
      [['N'], '新建（页面右上的主按钮）'],
      [['J', '↓'], '下一行'],
      [['K', '↑'], '上一行'],
      [['Space'], '勾选'],
      [['Shift ↑', 'Shift ↓'], '连续勾选'],
      [['Enter'], '打开'],
      [['Ctrl Enter'], '在新页签打开'],
      [['E', 'F2'], '修改当前行'],
      [['Ctrl C'], '复制单元格'],
    ],
  },
  {
    title: '单据与抽屉',
    keys: [
      [['Ctrl S'], '保存（编辑页存草稿）'],
      [['Ctrl Enter'], '提交或同意'],
      [['E'], '修改'],
      [['↑', '↓'], '抽屉中切换到上一条、下一条'],
    ],
  },
];

/** All keys of the product, opened by `?`. */
export function KeyHelp({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Modal title="快捷键" open={open} onCancel={onClose} footer={null} width={720} destroyOnHidden>
      <div className="key-help">
        {GROUPS.map((group) => (
          <section key={group.title}>
            <h3>{group.title}</h3>
            <dl>
              {group.keys.map(([keys, text]) => (
                <div key={text}>
                  <dt>
                    {keys.map((key) => (
                      <kbd key={key}>{key}</kbd>
                    ))}
                  </dt>
                  <dd>{text}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <p className="label">单个字母的快捷键在输入文字时不起作用。</p>
    </Modal>
  );
}

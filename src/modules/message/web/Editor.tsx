import {
  BoldOutlined,
  ItalicOutlined,
  LinkOutlined,
  OrderedListOutlined,
  RedoOutlined,
  StrikethroughOutlined,
  UnderlineOutlined,
  UndoOutlined,
  UnorderedListOutlined,
} from '@ant-design/icons';
import { EditorContent, type Editor as Tiptap, useEditor, useEditorState } from '@tiptap/react';
import StarterKit from '@tiptap/starter-kit';
import { Input, Popover, Tooltip } from 'antd';
import { type ReactNode, useState } from 'react';

interface Props {
  /** HTML to begin with; later changes of it are not taken. */
  initial: string;
  onChange: (html: string) => void;
  label: string;
  wrong?: boolean;
}

interface Mark {
  name: string;
  title: string;
  icon: ReactNode;
  run: (editor: Tiptap) => void;
}

const MARKS: readonly Mark[] = [
  { name: 'heading', title: '标题', icon: 'H', run: (e) => e.chain().focus().toggleHeading({ level: 3 }).run() },
  { name: 'bold', title: '加粗', icon: <BoldOutlined />, run: (e) => e.chain().focus().toggleBold().run() },
  { name: 'italic', title: '斜体', icon: <ItalicOutlined />, run: (e) => e.chain().focus().toggleItalic().run() },
  {
    name: 'underline',
    title: '下划线',
    icon: <UnderlineOutlined />,
    run: (e) => e.chain().focus().toggleUnderline().run(),
  },
  {
    name: 'strike',
    title: '删除线',
    icon: <StrikethroughOutlined />,
    run: (e) => e.chain().focus().toggleStrike().run(),
  },
  {
    name: 'bulletList',
    title: '项目列表',
    icon: <UnorderedListOutlined />,
    run: (e) => e.chain().focus().toggleBulletList().run(),
  },
  {
    name: 'orderedList',
    title: '编号列表',
    icon: <OrderedListOutlined />,
    run: (e) => e.chain().focus().toggleOrderedList().run(),
  },
];

function LinkButton({ editor, on }: { editor: Tiptap; on: boolean }) {
  const [open, setOpen] = useState(false);
  const [address, setAddress] = useState('');
  const apply = () => {
    const chain = editor.chain().focus().extendMarkRange('link');
    const href = /^(https?:\/\/|mailto:)/i.test(address) ? address : `https://${address}`;
    if (address.trim() === '') chain.unsetLink().run();
    else chain.setLink({ href }).run();
    setOpen(false);
  };
  return (
    <Popover
      trigger="click"
      open={open}
      onOpenChange={(next) => {
        setAddress(String(editor.getAttributes('link').href ?? ''));
        setOpen(next);
      }}
      content={
        <Input
          autoFocus
          size="small"
          style={{ width: 260 }}
          placeholder="https://，回车确定，留空取消链接"
          aria-label="链接地址"
          value={address}
          onChange={(event) => setAddress(event.target.value)}
          onPressEnter={apply}
        />
      }
    >
      <button type="button" className={`icon-button is-small${on ? ' is-on' : ''}`} aria-label="链接">
        <LinkOutlined />
      </button>
    </Popover>
  );
}

function Bar({ editor }: { editor: Tiptap }) {
  const active = useEditorState({
    editor,
    selector: ({ editor: now }) => ({
      ...Object.fromEntries(MARKS.map(({ name }) => [name, now.isActive(name)])),
      link: now.isActive('link'),
    }),
  }) as Record<string, boolean>;
  const Undo = [
    { title: '撤销', icon: <UndoOutlined />, run: () => editor.chain().focus().undo().run() },
    { title: '重做', icon: <RedoOutlined />, run: () => editor.chain().focus().redo().run() },
  ];
  return (
    <div className="message-editor-bar" role="toolbar" aria-label="格式">
      {MARKS.map((mark) => (
        <Tooltip key={mark.name} title={mark.title}>
          <button
            type="button"
            className={`icon-button is-small${active[mark.name] ? ' is-on' : ''}`}
            aria-label={mark.title}
            aria-pressed={active[mark.name] ?? false}
            onClick={() => mark.run(editor)}
          >
            {mark.icon}
          </button>
        </Tooltip>
      ))}
      <LinkButton editor={editor} on={active.link ?? false} />
      <span className="spring" />
      {Undo.map((each) => (
        <button
          key={each.title}
          type="button"
          className="icon-button is-small"
          aria-label={each.title}
          onClick={each.run}
        >
          {each.icon}
        </button>
      ))}
    </div>
  );
}

/** Text with structure and links; what it yields is sanitised by the server all the same. */
export function Editor({ initial, onChange, label, wrong }: Props) {
  const editor = useEditor({
    extensions: [StarterKit.configure({ heading: { levels: [2, 3, 4] }, link: { openOnClick: false } })],
    content: initial,
    editorProps: { attributes: { role: 'textbox', 'aria-multiline': 'true', 'aria-label': label } },
    onUpdate: ({ editor: now }) => onChange(now.isEmpty ? '' : now.getHTML()),
  });
  if (!editor) return null;
  return (
    <div className={`message-editor${wrong ? ' is-wrong' : ''}`}>
      <Bar editor={editor} />
      <EditorContent editor={editor} />
    </div>
  );
}

export interface TipLine {
  color?: string;
  name: string;
  value: string;
}

/** Content of a tooltip, built as elements: names come from data and must never be read as HTML. */
export function tipElement(title: string, lines: readonly TipLine[]): HTMLElement {
  const box = document.createElement('div');
  box.className = 'chart-tip';
  const head = document.createElement('b');
  head.textContent = title;
  box.append(head);
  for (const line of lines) {
    const row = document.createElement('div');
    const mark = document.createElement('i');
    mark.style.background = line.color ?? 'transparent';
    const name = document.createElement('span');
    name.textContent = line.name;
    const value = document.createElement('span');
    value.className = 'num';
    value.textContent = line.value;
    row.append(mark, name, value);
    box.append(row);
  }
  return box;
}

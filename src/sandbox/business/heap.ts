/** A calendar: happenings leave in the order of their instant, those of the same instant in the order they came. */
export class EventHeap<T> {
  private readonly nodes: { at: number; sequence: number; value: T }[] = [];
  private sequence = 0;

  push(at: number, value: T): void {
    const { nodes } = this;
    nodes.push({ at, sequence: this.sequence, value });
    this.sequence += 1;
    let child = nodes.length - 1;
    while (child > 0) {
      const parent = (child - 1) >> 1;
      if (!this.before(child, parent)) return;
      this.swap(child, parent);
      child = parent;
    }
  }

  /** Takes the earliest happening before `end`; undefined when there is none. */
  popBefore(end: number): { at: number; value: T } | undefined {
    const { nodes } = this;
    const top = nodes[0];
    if (!top || top.at >= end) return undefined;
    const last = nodes.pop();
    if (last && nodes.length > 0) {
      nodes[0] = last;
      this.sink();
    }
    return top;
  }

  private sink(): void {
    let parent = 0;
    for (;;) {
      let least = parent;
      for (const child of [2 * parent + 1, 2 * parent + 2]) {
        if (child < this.nodes.length && this.before(child, least)) least = child;
      }
      if (least === parent) return;
      this.swap(parent, least);
      parent = least;
    }
  }

  private before(a: number, b: number): boolean {
    const left = this.nodes[a];
    const right = this.nodes[b];
    if (!left || !right) return false;
    return left.at < right.at || (left.at === right.at && left.sequence < right.sequence);
  }

  private swap(a: number, b: number): void {
    const left = this.nodes[a];
    const right = this.nodes[b];
    if (!left || !right) return;
    this.nodes[a] = right;
    this.nodes[b] = left;
  }
}

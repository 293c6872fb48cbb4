import { useEffect, useRef } from 'react';

const OVERLAYS =
  '.ant-modal-wrap, .ant-drawer-open, .ant-popover, .ant-dropdown, .ant-select-dropdown, .ant-picker-dropdown, [aria-modal="true"]';

/** Whether anything lies over the page: dialog, drawer, menu. Its keys come first. */
export function overlayOpen(): boolean {
  return [...document.querySelectorAll<HTMLElement>(OVERLAYS)].some((element) => element.getClientRects().length > 0);
}

/** Whether a key goes into a field. */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}

/**
 * Single keys of a page ("/", "n", "e"): they rest while somebody types, while something lies over the page, and with
 * Ctrl, Alt or Meta. A handler that has nothing to do answers false and leaves the key alone.
 */
export function usePageKeys(active: boolean, keys: Readonly<Record<string, () => boolean>>): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    if (!active) return;
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || isTyping(event.target)) return;
      const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
      const take = latest.current[key];
      if (take && !overlayOpen() && take()) event.preventDefault();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [active]);
}

/** Presses the save button of the page in front, the one that carries `data-save`; the field in use is left before. */
export function saveFront(): void {
  const pages = [...document.querySelectorAll<HTMLElement>('.tab-page')];
  const front = pages.find((page) => page.getClientRects().length > 0);
  if (!front || overlayOpen()) return;
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  // What the field hands over when it is left must have arrived in the form.
  setTimeout(() => press(front, '[data-save]'));
}

/** Presses the first button in `box` that fits; false where there is none or it is disabled. */
export function press(box: HTMLElement | null, selector: string): boolean {
  const button = box?.querySelector<HTMLElement>(selector);
  if (!button || (button instanceof HTMLButtonElement && button.disabled)) return false;
  button.click();
  return true;
}

/**
 * Puts the focus on the first entry of a menu when it opens: as soon as the popup is placed and can have it, however many
 * frames a busy machine takes for that. `menu` is a class of that menu alone.
 */
export function useMenuFocus(open: boolean, menu: string): void {
  useEffect(() => {
    if (!open) return;
    let frame = 0;
    const tryFocus = () => {
      const list = document.getElementsByClassName(menu)[0];
      // Who has moved on within the menu is left where he is.
      if (list?.contains(document.activeElement)) return;
      list?.querySelector<HTMLElement>('[role="menuitem"]:not([aria-disabled="true"])')?.focus({ preventScroll: true });
      if (!list?.contains(document.activeElement)) frame = requestAnimationFrame(tryFocus);
    };
    tryFocus();
    return () => cancelAnimationFrame(frame);
  }, [open, menu]);
}

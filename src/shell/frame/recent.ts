const KEY = 'recentScreens';
const LIMIT = 10;

/** Paths opened through the search or the menu, newest first. */
export function recentPaths(): string[] {
  try {
    const saved: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(saved) ? saved.filter((path) => typeof path === 'string') : [];
  } catch {
    return [];
  }
}

export function rememberPath(path: string): void {
  const next = [path, ...recentPaths().filter((each) => each !== path)].slice(0, LIMIT);
  localStorage.setItem(KEY, JSON.stringify(next));
}

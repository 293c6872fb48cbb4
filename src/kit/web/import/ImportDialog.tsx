export function ImportDialog(_props: object) {
  return null;
}

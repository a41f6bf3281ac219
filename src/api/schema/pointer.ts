// JSON pointers, as they grow from a value into its parts.

/** The pointer to the field `name`, or the member of that number, of what `pointer` leads to. */
export function pointerBelow(pointer: string, name: string | number): string {
  return `${pointer}/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

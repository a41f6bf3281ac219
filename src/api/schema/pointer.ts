// Builds JSON pointers from a value into its parts.

/** The pointer to a field, or to a list entry by index, below `pointer`. */
export function pointerBelow(pointer: string, name: string | number): string {
  return `${pointer}/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

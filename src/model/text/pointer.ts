// Paths as JSON pointers (RFC 6901): the text form in which they are compared and stored.
import type { Path } from '../value.ts';

/** The pointer of a path. */
export function pointer(path: Path): string {
  return path.map(step => `/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** The path of a pointer. */
export function pathOf(text: string): Path {
  return text
    .split('/')
    .slice(1)
    .map(step => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

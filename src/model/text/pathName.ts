// Paths in sentences and tables: `rules.ssh.ports`.
import type { Path } from '../value.ts';

/**
 * A path as one text: steps joined by dots, a step with a dot, a bracket or a quote in it as `["10.0.0.1/53"]`. Two paths
 * never have the same text.
 */
export function pathName(path: Path): string {
  return path.reduce((text, step) => {
    if (!/^[^."[\]]+$/.test(step)) return `${text}[${JSON.stringify(step)}]`;
    return text === '' ? step : `${text}.${step}`;
  }, '');
}

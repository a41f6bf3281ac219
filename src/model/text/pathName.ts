// Paths in sentences and tables: `rules.ssh.ports`.
import type { Path } from '../value.ts';
import { isPlainName, jsonString } from './visible.ts';

/**
 * A path as one text: steps joined by dots; a step that is not a plain word, or contains a dot, is quoted as `["10.0.0.1/53"]`.
 * Different paths always have different texts.
 */
export function pathName(path: Path): string {
  return path.reduce((text, step) => {
    if (step.includes('.') || !isPlainName(step)) return `${text}[${jsonString(step)}]`;
    return text === '' ? step : `${text}.${step}`;
  }, '');
}

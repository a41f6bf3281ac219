// Text as YAML, for lines that people copy into their files.
import { literally } from './literalText.ts';
import { hasHidden, jsonString } from './visible.ts';

/** A text as a YAML scalar: quoted if YAML would read it as something else. */
export function inYaml(text: string): string {
  const isPlain =
    /^[\p{L}\p{N}_/.<][^:#,[\]{}"'`\p{C}]*$/u.test(text) &&
    text === text.trimEnd() &&
    !hasHidden(text);
  const looksElse = /^(true|false|null|[\d.]+(e[-+]?\d+)?|0[ox][\da-f]+)$/i.test(text);
  const isAddress = /\.\d+\./.test(text);
  return isPlain && (isAddress || !looksElse) ? text : jsonString(text);
}

/** A name as a YAML scalar of which no part is read as a reference. */
export const nameInYaml = (name: string): string => inYaml(literally(name));
